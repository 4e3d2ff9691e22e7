package api

import (
	"bytes"
	"encoding/json"
	"slices"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/api/web"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/objects"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

// exportWait is how long a request for a file waits for it (decisions.md section 8).
const exportWait = 25 * time.Second

// download is the address of an export. It is made when it is answered, so it always has its hour.
type download struct {
	DownloadURL string  `json:"downloadUrl"`
	ExpiresAt   instant `json:"expiresAt"`
}

type exportUnderWay struct {
	JobID  dossier.PipelineRunID `json:"jobId"`
	Result string                `json:"result"` // where to poll
}

// analyticsCSV starts an export and waits for it. A caller that goes away leaves it running; every call starts one.
func (s *Server) analyticsCSV(c *fiber.Ctx, _ analyticsQuery) error {
	pipeline := jobs.PipelineExportAnalyticsCSV
	parameters, err := json.Marshal(struct {
		Start *string `json:"start,omitempty"`
		End   *string `json:"end,omitempty"`
	}{given(c, "start"), given(c, "end")})
	if err != nil {
		return err
	}
	run, err := s.db.CreatePipelineRun(c.UserContext(), workspace(c), pipeline, []string{pipeline}, parameters,
		postgres.PipelineSubjects{})
	if err != nil {
		return err
	}
	run = s.awaitExport(c, run)
	switch {
	case run.Status == dossier.PipelineComplete:
		link, err := s.exportLink(c, run.ID)
		if err == nil {
			return send(c, fiber.StatusOK, link)
		}
		s.warn(c, "export has no address yet", err)
	case run.Status.Ended():
		return dossier.Errorf(dossier.Unavailable, "The file could not be written; try again in a while")
	}
	web.RetryAfter(c, 2*time.Second)
	return send(c, fiber.StatusAccepted,
		exportUnderWay{run.ID, s.pipelineURL(c) + "/pipelines/run/" + pipeline + "?jobId=" + string(run.ID)})
}

// awaitExport looks at a run until it has ended or exportWait is over and returns how it stood last. A look that fails
// or comes too late ends only the waiting: the export goes on, and whoever asked for it learns where to poll.
func (s *Server) awaitExport(c *fiber.Ctx, run dossier.PipelineRun) dossier.PipelineRun {
	for deadline := s.Now().Add(exportWait); !run.Status.Ended() && s.Now().Before(deadline) &&
		jobs.Sleep(c.UserContext(), pollInterval); {
		latest, err := s.db.ReadPipelineRun(c.UserContext(), workspace(c), run.PipelineID, run.ID)
		if err != nil {
			s.warn(c, "export is not waited for any more", err)
			return run
		}
		run = latest
	}
	return run
}

// exportLink is an address of a run's file. Error: NotFound, when the file is kept no more.
func (s *Server) exportLink(c *fiber.Ctx, run dossier.PipelineRunID) (download, error) {
	export, err := s.db.ReadExport(c.UserContext(), workspace(c), run)
	if err != nil {
		return download{}, err
	}
	expires := s.Now().Add(objects.LinkTTL)
	url, err := s.Objects.PresignGet(c.UserContext(), export.ObjectKey, jobs.ExportFilename, jobs.ExportContentType)
	return download{url, instant(expires)}, err
}

// exported reports whether the body of an ended run may have the result of an export in it.
func exported(body []byte) bool {
	return bytes.Contains(body, []byte(jobs.PipelineExportAnalyticsCSV))
}

// withLink gives the export in the poll body of an ended run, or of a step of it, an address with its whole hour ahead.
// A file that is kept no more has none.
func (s *Server) withLink(c *fiber.Ctx, body json.RawMessage) (json.RawMessage, error) {
	var run record.PipelineRun
	if err := json.Unmarshal(body, &run); err != nil {
		return nil, err
	}
	alone := run.PipelineID == jobs.PipelineExportAnalyticsCSV
	var chain struct {
		Steps []dossier.PipelineStep `json:"steps"`
	}
	if !alone && len(run.Result) > 0 {
		if err := json.Unmarshal(run.Result, &chain); err != nil {
			return nil, err
		}
	}
	if alone && run.Status != dossier.PipelineComplete || !alone && !slices.ContainsFunc(chain.Steps, wroteExport) {
		return body, nil
	}
	link, err := s.exportLink(c, run.JobID)
	if dossier.KindOf(err) == dossier.NotFound {
		return body, nil
	}
	if err == nil {
		run.Result, err = json.Marshal(link)
	}
	if err == nil && !alone {
		for i := range chain.Steps {
			if wroteExport(chain.Steps[i]) {
				chain.Steps[i].Result = run.Result
			}
		}
		run.Result, err = json.Marshal(chain)
	}
	if err != nil {
		return nil, err
	}
	return json.Marshal(run)
}

func wroteExport(step dossier.PipelineStep) bool {
	return step.PipelineID == jobs.PipelineExportAnalyticsCSV && step.Status == dossier.PipelineComplete
}
