package worker

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/hibiken/asynq"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

// Why a handler's context ended.
var (
	errLost     = errors.New("the claim was lost")
	errDraining = errors.New("the worker is stopping")
	errStuck    = errors.New("the handler does not stop")
)

type panicked struct{ value any }

func (p panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// directive is what a handler wants next.
type directive struct {
	delay  time.Duration
	counts bool
	class  string
	cause  error
}

func (d *directive) Error() string {
	if d.cause != nil {
		return d.cause.Error()
	}
	return d.class
}

func (d *directive) Unwrap() error { return d.cause }

// Snooze puts the job off by delay without using up a try. class says why, as a word.
func Snooze(delay time.Duration, class string) error { return &directive{delay: delay, class: class} }

// RetryIn fails the try with a delay of the handler's choice instead of the usual one.
func RetryIn(delay time.Duration, cause error) error {
	return &directive{delay: delay, counts: true, cause: cause}
}

// decision is what an error means for the job.
type decision struct {
	final   bool // no further try
	counts  bool // the try is used up
	delay   time.Duration
	class   string
	message string
}

// patience is how long after its first start a job waits for a service that is away without using up tries.
const patience = 6 * time.Hour

// classify is the one place that decides on retrying: what is wrong with the input stays wrong; a service that is away
// is not the job's fault; anything else gets its tries.
func (w *Worker) classify(ctx context.Context, claim postgres.Claim, err error) decision {
	v := decision{counts: true, delay: w.backoff(claim.Attempt)}
	v.class, v.message = describe(ctx, err)
	var d *directive
	directed := errors.As(err, &d)
	if directed {
		v.delay, v.counts = d.delay, d.counts
	}
	switch kind := dossier.KindOf(err); {
	case isPermanent(kind):
		v.final = !directed
	case kind == dossier.Unavailable:
		if age := w.Now().Sub(claim.StartedAt); !directed && age < patience {
			v.counts, v.delay = false, jitter(min(max(age/8, 2*time.Second), 5*time.Minute))
		}
	}
	v.final = v.final || v.counts && claim.LastTry()
	return v
}

// isPermanent reports whether an error of this kind will be the same next time.
func isPermanent(kind dossier.Kind) bool {
	switch kind {
	case dossier.Invalid, dossier.NotFound, dossier.Conflict, dossier.Forbidden, dossier.Unsupported, dossier.TooLarge,
		dossier.Unprocessable:
		return true
	}
	return false
}

// describe names the class of an error, a word for lists and filters, and a message for the ledger.
func describe(ctx context.Context, err error) (class, message string) {
	var d *directive
	var known *dossier.Error
	var panic panicked
	switch {
	case errors.As(err, &d) && d.class != "":
		return d.class, d.class
	case errors.As(err, &panic):
		return "panic", err.Error()
	case errors.Is(context.Cause(ctx), context.DeadlineExceeded):
		return "timeout", "The try took longer than its time"
	case errors.As(err, &known):
		return known.Code, known.Message
	}
	return "internal", err.Error()
}

// cause is an error with what it hides from callers, for the log.
func cause(err error) string {
	var known *dossier.Error
	if errors.As(err, &known) && known.Cause != nil {
		return known.Cause.Error()
	}
	return err.Error()
}

// backoff is the delay after the nth failed try: 2 s, 10 s, 50 s, about 4 min, then 10 min.
func (w *Worker) backoff(attempt int) time.Duration {
	delay := w.timing.retry
	for range attempt - 1 {
		delay = min(delay*5, 10*time.Minute)
	}
	return jitter(delay)
}

func jitter(d time.Duration) time.Duration {
	return d + time.Duration((rand.Float64()-0.5)*0.4*float64(d))
}

// answer is what the queue is told of a try that did not end its job. Its delay goes into the queue's retry set,
// so the dashboard shows what the ledger says.
type answer struct {
	delay  time.Duration
	counts bool
	text   string
}

func (a answer) Error() string { return a.text }

// retryDelay is asked by the queue when to bring a task back: also for errors of its own, a lost lease or a
// cancelled context, whose task then meets the ledger.
func retryDelay(_ int, err error, _ *asynq.Task) time.Duration {
	var a answer
	if errors.As(err, &a) {
		return a.delay
	}
	return 2 * time.Second
}

// countsAsTry keeps the queue's count in step with the ledger's, which is the one that decides.
func countsAsTry(err error) bool {
	var a answer
	return errors.As(err, &a) && a.counts
}
