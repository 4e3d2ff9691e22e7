package bench

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"sync"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/jobs/worker"
	"github.com/dossierhq/dossier/storage/postgres"
)

// mailAttack: the neighbour's mail server accepts every connection and never answers, while the neighbour sends as many
// mails as it can. A worker of the messages' lane runs meanwhile.
func (n *badNeighbour) mailAttack() attack {
	var lead dossier.LeadID
	begin := func(ctx context.Context) (func(), error) {
		port, shut, err := tarpit(ctx)
		if err != nil {
			return nil, err
		}
		config, err := n.s.DB.ExportWorkspace(ctx, neighbourKey)
		if err == nil {
			config.Channels[dossier.ChannelEmail] = dossier.ChannelConfig{Provider: "smtp", Host: "127.0.0.1", Port: port,
				From: "desk@neighbour.example"}
			_, _, err = n.s.DB.ApplyWorkspace(ctx, config, false, false)
		}
		if err == nil {
			lead, err = n.s.DB.CreateLead(ctx, n.ws, postgres.NewLead{LeadUpdate: dossier.LeadUpdate{
				Email: dossier.Set("ann@lead.example")}}, postgres.Caller{})
		}
		if err != nil {
			shut()
			return nil, err
		}
		w, err := worker.New(worker.Config{DB: n.s.DB, Redis: n.s.Redis, Lanes: []jobs.Lane{jobs.LaneMessage},
			NoSchedule: true, Drain: time.Second, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			shut()
			return nil, err
		}
		start, halt := running(ctx, w)
		start()
		return func() { shut(); halt() }, nil
	}
	return attack{name: "mails to a server that never answers", atOnce: 4, begin: begin,
		try: func(ctx context.Context, _ int) bool {
			m, err := n.s.DB.DraftMessage(ctx, n.ws, lead, postgres.NewDraft{Channel: dossier.ChannelEmail, Body: "Hello"},
				postgres.Caller{})
			if err == nil {
				_, err = n.s.DB.ApproveMessage(ctx, n.ws, m.ID, postgres.Caller{})
			}
			return err == nil
		}}
}

// tarpit listens on a port, accepts connections and never answers, until shut is called.
func tarpit(ctx context.Context) (port int, shut func(), err error) {
	var listen net.ListenConfig
	listener, err := listen.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return 0, nil, err
	}
	address, ok := listener.Addr().(*net.TCPAddr)
	if !ok {
		return 0, nil, errors.New("the tarpit has no port")
	}
	var mu sync.Mutex
	var held []net.Conn
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			mu.Lock()
			held = append(held, conn)
			mu.Unlock()
		}
	}()
	return address.Port, func() {
		_ = listener.Close()
		mu.Lock()
		defer mu.Unlock()
		for _, conn := range held {
			_ = conn.Close()
		}
	}, nil
}
