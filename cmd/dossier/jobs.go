package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/jobs"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/record"
)

type jobsCommand struct {
	List   listJobs   `cmd:"" help:"List jobs of all workspaces, newest first."`
	Show   showJob    `cmd:"" help:"Show one job."`
	Retry  retryJobs  `cmd:"" help:"Start failed or cancelled jobs anew, or one that waits for its next try at once."`
	Cancel cancelJobs `cmd:"" help:"End jobs; a worker that runs one is told within two seconds."`
}

// jobJSON is a job of the ledger (resources.md section 11).
type jobJSON struct {
	ID          dossier.JobID        `json:"id"`
	WorkspaceID *dossier.WorkspaceID `json:"workspaceId"` // null: housekeeping
	Kind        string               `json:"kind"`
	Lane        string               `json:"lane"`
	Status      dossier.JobStatus    `json:"status"`
	Attempt     int                  `json:"attempt"`
	MaxAttempts int                  `json:"maxAttempts"`
	Epoch       int                  `json:"epoch"`
	Worker      *string              `json:"worker"`
	RunAt       record.Time          `json:"runAt"`
	LeaseUntil  *record.Time         `json:"leaseUntil"`
	ErrorClass  *string              `json:"errorClass"`
	CreatedAt   record.Time          `json:"createdAt"`
	FinishedAt  *record.Time         `json:"finishedAt"`
}

// jobDetail is what show adds. The payload holds ids only.
type jobDetail struct {
	jobJSON
	Progress     int             `json:"progress"`
	ErrorMessage *string         `json:"errorMessage"`
	Result       *string         `json:"result"`
	SubjectID    *string         `json:"subjectId"`
	Payload      json.RawMessage `json:"payload"`
	RequestID    *string         `json:"requestId"`
	StartedAt    *record.Time    `json:"startedAt"`
}

func jobOf(j dossier.Job) jobJSON {
	return jobJSON{ID: j.ID, WorkspaceID: dossier.OrNil(j.Workspace), Kind: j.Kind, Lane: j.Lane, Status: j.Status,
		Attempt:     j.Attempt,
		MaxAttempts: j.MaxAttempts, Epoch: j.Epoch, Worker: dossier.OrNil(j.Worker), RunAt: record.Time(j.RunAt),
		LeaseUntil: record.TimeOf(j.LeaseUntil),
		ErrorClass: dossier.OrNil(j.ErrorClass), CreatedAt: record.Time(j.CreatedAt),
		FinishedAt: record.TimeOf(j.FinishedAt)}
}

func jobDetailOf(j dossier.Job) jobDetail {
	return jobDetail{jobJSON: jobOf(j), Progress: j.Progress, ErrorMessage: dossier.OrNil(j.ErrorMessage),
		Result:    dossier.OrNil(j.ResultRef),
		SubjectID: dossier.OrNil(j.Subject), Payload: j.Payload, RequestID: dossier.OrNil(j.RequestID),
		StartedAt: record.TimeOf(j.StartedAt)}
}

// chosenJobs are the flags that narrow a list of jobs.
type chosenJobs struct {
	OlderThan time.Duration `placeholder:"60s" help:"Created at least so long ago."`
	Status    string        `placeholder:"FAILED" help:"QUEUED, RUNNING, RETRY, DONE, FAILED or CANCELLED."`
	Kind      string        `placeholder:"document.extract" help:"Of this kind."`
	Lane      string        `placeholder:"document" help:"Of this lane."`
	Error     string        `placeholder:"timeout" help:"Whose last error is of this class."`
	Workspace string        `placeholder:"W" help:"Of this workspace (key or id)."`
}

func (c chosenJobs) filter(a *app, db *postgres.DB, limit int) (postgres.JobFilter, error) {
	f := postgres.JobFilter{Status: dossier.JobStatus(strings.ToUpper(c.Status)), Kind: c.Kind, Lane: jobs.Lane(c.Lane),
		Error: c.Error, OlderThan: c.OlderThan, Limit: limit}
	switch {
	case f.Status != "" && !slices.Contains(dossier.JobStatuses, f.Status):
		return f, usagef("--status: %q is none of %s", c.Status, words(dossier.JobStatuses))
	case f.Kind != "" && !knownKind(f.Kind):
		return f, usagef("--kind: there is no kind %q; the kinds are %s", f.Kind, words(kinds()))
	case f.Lane != "" && !slices.Contains(jobs.Lanes, f.Lane):
		return f, usagef("--lane: %q is none of %s", f.Lane, words(jobs.Lanes))
	case f.OlderThan < 0:
		return f, usagef("--older-than must not be negative")
	case limit < 1:
		return f, usagef("--limit must be at least 1")
	}
	if c.Workspace == "" {
		return f, nil
	}
	w, err := workspaceNamed(a.ctx, db, c.Workspace)
	f.Workspace = w.ID
	return f, err
}

func knownKind(kind string) bool { _, ok := jobs.SpecOf(kind); return ok }

func kinds() []string {
	var names []string
	for _, job := range jobs.All {
		names = append(names, job.Spec().Kind)
	}
	return names
}

func words[S ~string](list []S) string {
	text := make([]string, len(list))
	for i, s := range list {
		text[i] = string(s)
	}
	return strings.Join(text, ", ")
}

type listJobs struct {
	chosenJobs
	Before string `placeholder:"ID" help:"Older than this one: the last of the page before."`
	Limit  int    `default:"100" help:"At most so many."`
}

// Run lists jobs.
func (c listJobs) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		filter, err := c.filter(a, db, c.Limit)
		if err != nil {
			return err
		}
		if c.Before != "" && !dossier.ValidID(c.Before) {
			return usagef("--before must be the id of a job")
		}
		filter.Before = dossier.JobID(c.Before)
		found, err := db.Jobs(a.ctx, filter)
		if err != nil {
			return err
		}
		list, rows := []jobJSON{}, [][]string{}
		for _, j := range found {
			list = append(list, jobOf(j))
			rows = append(rows, []string{string(j.ID), j.Kind, j.Lane, string(j.Status),
				fmt.Sprintf("%d/%d", j.Attempt, j.MaxAttempts), stamp(j.RunAt), j.ErrorClass})
		}
		return a.show(list, func(w io.Writer) { table(w, "No such jobs.", "ID KIND LANE STATUS TRY DUE ERROR", rows) })
	})
}

type showJob struct {
	ID string `arg:"" help:"Id of the job."`
}

// Run shows one job.
func (c showJob) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		job, err := db.Job(a.ctx, dossier.JobID(c.ID))
		if err != nil {
			return err
		}
		return a.show(jobDetailOf(job), func(w io.Writer) { printJob(w, job) })
	})
}

func printJob(w io.Writer, j dossier.Job) {
	pairs(w, "id", string(j.ID), "workspace", string(j.Workspace), "kind", j.Kind, "lane", j.Lane, "status",
		string(j.Status),
		"try", fmt.Sprintf("%d of %d", j.Attempt, j.MaxAttempts), "epoch", strconv.Itoa(j.Epoch), "progress",
		fmt.Sprintf("%d %%", j.Progress),
		"worker", j.Worker, "due", stamp(j.RunAt), "lease until", stampOf(j.LeaseUntil), "error", j.ErrorClass,
		"message", j.ErrorMessage,
		"result", j.ResultRef, "works on", j.Subject, "payload", string(j.Payload), "request", j.RequestID,
		"created", stamp(j.CreatedAt), "started", stampOf(j.StartedAt), "finished", stampOf(j.FinishedAt))
}

// changedJobs is the answer of retry and cancel.
type changedJobs struct {
	Success bool      `json:"success"`
	Count   int       `json:"count"`
	Jobs    []jobJSON `json:"jobs"` // those named; empty with --all
}

type retryJobs struct {
	IDs []string `arg:"" optional:"" name:"id" help:"Ids of jobs."`
	All bool     `help:"All FAILED jobs (with --status CANCELLED: the cancelled ones) that the other flags choose."`
	chosenJobs
}

// Run retries the named jobs, or all chosen ones a thousand a commit.
func (c retryJobs) Run(a *app) error {
	if c.All == (len(c.IDs) > 0) {
		return usagef("name the jobs to retry, or choose them with --all")
	}
	if !c.All && c.chosenJobs != (chosenJobs{}) {
		return usagef("--status, --kind, --lane, --error, --workspace and --older-than choose jobs together with --all")
	}
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		if !c.All {
			return a.changeJobs(c.IDs, "Started anew", func(id dossier.JobID) (dossier.Job,
				error) {
				return db.RetryJobNow(a.ctx, id)
			})
		}
		filter, err := c.filter(a, db, 1000)
		if err != nil {
			return err
		}
		result := changedJobs{Success: true, Jobs: []jobJSON{}}
		for {
			n, err := db.RetryJobs(a.ctx, filter)
			if err != nil {
				return err
			}
			if result.Count += n; n < filter.Limit {
				break
			}
		}
		return a.show(result, func(w io.Writer) { fmt.Fprintf(w, "Started %s anew.\n", count(result.Count, "job")) })
	})
}

type cancelJobs struct {
	IDs []string `arg:"" name:"id" help:"Ids of jobs."`
}

// Run cancels the named jobs.
func (c cancelJobs) Run(a *app) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		return a.changeJobs(c.IDs, "Cancelled", func(id dossier.JobID) (dossier.Job,
			error) {
			return db.CancelJob(a.ctx, id)
		})
	})
}

// changeJobs stops at the first job that refuses; the error names it and says how many were changed before.
func (a *app) changeJobs(ids []string, what string, change func(dossier.JobID) (dossier.Job, error)) error {
	result := changedJobs{Success: true, Jobs: []jobJSON{}}
	for i, id := range ids {
		job, err := change(dossier.JobID(id))
		if err != nil {
			if len(ids) == 1 {
				return err
			}
			return fmt.Errorf("%s: %w (%d before it were changed)", id, err, i)
		}
		result.Jobs = append(result.Jobs, jobOf(job))
	}
	result.Count = len(result.Jobs)
	return a.show(result, func(w io.Writer) {
		for _, job := range result.Jobs {
			fmt.Fprintf(w, "%s: %s %s, now %s.\n", what, job.Kind, job.ID, job.Status)
		}
	})
}
