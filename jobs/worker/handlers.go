package worker

// handlerTable names the handler of every kind. A test holds it against jobs.All.
func (w *Worker) handlerTable() map[string]handler {
	return table(
		handle(w.noop),
		handle(w.sweepJobs),
		handle(w.sweepIdempotencyKeys),
		handle(w.sweepRequests),
		handle(w.sweepObjects),
		handle(w.erase),
		handle(w.applyRetention),
		handle(w.eraseWorkspace),
		handle(w.extractDocument),
		handle(w.drawPage),
		handle(w.matchDocument),
		handle(w.validateDocument),
		handle(w.judgeLead),
		handle(w.fillDocument),
		handle(w.runPipeline),
		handle(w.extractFigures),
		handle(w.consolidateSpread),
		handle(w.exportAnalytics),
		handle(w.importLeads),
		handle(w.sendToEndpoint),
		handle(w.deliverWebhook),
		handle(w.replayWebhook),
		handle(w.sweepEvents),
		handle(w.takeTurn),
		handle(w.sendMessage),
		handle(w.fetchMedia),
	)
}

func table(handlers ...handler) map[string]handler {
	byKind := make(map[string]handler, len(handlers))
	for _, h := range handlers {
		byKind[h.spec.Kind] = h
	}
	return byKind
}
