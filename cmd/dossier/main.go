// Command dossier is the operator's command line: it works on the store, the queue and the object storage directly,
// with the same variables as the other programs. Results go to stdout (one line of JSON with --json), errors to stderr.
// Exit codes: 0, 1 for an error or a finding, 2 for wrong usage.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/redis/go-redis/v9"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/cmd/internal/setup"
	"github.com/dossierhq/dossier/pipelines/document/sandbox"
	"github.com/dossierhq/dossier/storage/postgres"
)

func main() {
	if sandbox.ChildMain() { // read, score and bench start this program again as the sandboxed parser
		return
	}
	redis.SetLogger(quiet{})
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], os.Environ(), os.Stdin, os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// quiet keeps the Redis library from writing to stderr what doctor says in a line of its own.
type quiet struct{}

// Printf drops a line.
func (quiet) Printf(context.Context, string, ...any) {}

// commands is the whole command line; each command's Run does it.
type commands struct {
	JSON bool `name:"json" help:"Print one line of JSON instead of text for people."`

	Migrate    migrateCommand    `cmd:"" group:"setup" help:"Bring the database's schema to this release."`
	Doctor     doctorCommand     `cmd:"" group:"setup" help:"Check every dependency and say what to do about each."`
	Backup     backupCommand     `cmd:"" group:"setup" help:"Copy the database and the objects as of one moment."`
	Restore    restoreCommand    `cmd:"" group:"setup" help:"${main_restore}"`
	Support    supportCommand    `cmd:"" group:"setup" help:"${main_support}"`
	Version    versionCommand    `cmd:"" group:"setup" help:"Print the version."`
	Apply      applyCommand      `cmd:"" group:"workspace" help:"Make a workspace what its file says, all or nothing."`
	Export     exportCommand     `cmd:"" group:"workspace" help:"${main_export}"`
	Workspaces workspacesCommand `cmd:"" group:"workspace" help:"List, show, create and delete workspaces."`
	Keys       keysCommand       `cmd:"" group:"workspace" help:"Create, list and revoke API keys."`
	Portal     portalCommand     `cmd:"" group:"workspace" help:"Open a lead's own page."`
	Console    consoleCommand    `cmd:"" group:"workspace" help:"Let somebody into the console without single sign-on."`
	People     peopleCommand     `cmd:"" group:"workspace" help:"List, add and disable people of the console."`
	Audit      auditCommand      `cmd:"" group:"workspace" help:"List administrative acts."`
	Erasures   erasuresCommand   `cmd:"" group:"workspace" help:"What was erased for good, and the proof of it."`
	Retention  retentionCommand  `cmd:"" group:"workspace" help:"What will be erased by age, and when."`
	Leads      leadsCommand      `cmd:"" group:"workspace" help:"Show a lead."`
	Runs       runsCommand       `cmd:"" group:"workspace" help:"List a lead's workflow runs."`
	Messages   messagesCommand   `cmd:"" group:"workspace" help:"List what leads and agents wrote."`
	Simulate   simulateCommand   `cmd:"" group:"workspace" help:"${main_simulate}"`
	Secrets    secretsCommand    `cmd:"" group:"setup" help:"Seal secrets at rest anew, with the newest key."`
	Jobs       jobsCommand       `cmd:"" group:"queue" help:"List, show, retry and cancel jobs."`
	Lanes      lanesCommand      `cmd:"" group:"queue" help:"List, pause, resume and share the lanes of the queue."`
	Top        topCommand        `cmd:"" group:"queue" help:"${main_top}"`
	Deliveries deliveriesCommand `cmd:"" group:"queue" help:"List webhook deliveries and send them again."`
	Analytics  analyticsCommand  `cmd:"" group:"workspace" help:"Verify what analytics add up."`
	Read       readCommand       `cmd:"" group:"document" help:"Read files and print their facts; nothing is stored."`
	Score      scoreCommand      `cmd:"" group:"document" help:"${main_score}"`
	Correct    correctCommand    `cmd:"" name:"corrections" group:"document" help:"${main_corrections}"`
	Reprocess  reprocessCommand  `cmd:"" group:"document" help:"Read stored documents again that an older engine read."`
	Specimen   specimenCommand   `cmd:"" group:"document" help:"${main_specimen}"`
	Rules      rulesCommand      `cmd:"" group:"document" help:"Say how validation rules are understood."`
	Verify     verifyCommand     `cmd:"" name:"verify-webhook" group:"document" help:"${main_verify}"`
	Listen     listenCommand     `cmd:"" group:"integrator" help:"${main_listen}"`
	Import     importCommand     `cmd:"" group:"integrator" help:"Make leads of a CSV file."`
	MCP        mcpCommand        `cmd:"" name:"mcp" group:"integrator" help:"${main_mcp}"`
	Requests   requestsCommand   `cmd:"" group:"integrator" help:"List the calls of the last days, or follow them."`
	Trigger    triggerCommand    `cmd:"" group:"integrator" help:"Play what leads to an event, on a test lead."`
	Completion completionCommand `cmd:"" group:"setup" help:"Print what a shell completes this command line with."`
	Man        manCommand        `cmd:"" group:"setup" help:"Print the manual page: dossier man | man -l -"`
	Sizing     sizingCommand     `cmd:"" group:"document" help:"Say how much machine documents a month want."`
	Bench      benchCommand      `cmd:"" group:"document" help:"Measure; without a name, list what can be measured."`
}

var groups = []kong.Group{
	{Key: "setup", Title: "Setting up"},
	{Key: "workspace", Title: "Workspaces"},
	{Key: "queue", Title: "Jobs and webhooks"},
	{Key: "integrator", Title: "For callers of the API (DOSSIER_URL and DOSSIER_API_KEY)"},
	{Key: "document", Title: "Documents and measurements"},
}

const about = `The operator's command line of Dossier.

DATABASE_URL and the other variables of the service are read from the environment;
commands that need no service need none.
Exit codes: 0; 1 for an error, or a finding of doctor and verify-webhook; 2 for wrong usage.`

// app is what a command works with.
type app struct {
	ctx     context.Context
	environ []string
	in      io.Reader
	out     io.Writer
	err     io.Writer
	json    bool
	now     func() time.Time
}

// usageError is a wrong command line that kong cannot see.
type usageError struct{ message string }

func (e usageError) Error() string { return e.message }

func usagef(format string, args ...any) error { return usageError{fmt.Sprintf(format, args...)} }

// errFound ends a command whose printed result is bad news: exit 1 without another word.
var errFound = errors.New("found")

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args, environ []string, in io.Reader, out, errOut io.Writer) int {
	var cli commands
	helped := false
	parser, err := kong.New(&cli, kong.Name("dossier"), kong.Description(about), kong.Writers(out, errOut), helpTexts,
		kong.Exit(func(int) { helped = true }), kong.ExplicitGroups(groups),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, NoExpandSubcommands: true}))
	if err != nil {
		fmt.Fprintln(errOut, "dossier:", err)
		return 1
	}
	if len(args) == 0 {
		args = []string{"--help"}
	}
	parsed, err := parser.Parse(args)
	if helped {
		return 0
	}
	if err != nil {
		fmt.Fprintf(errOut, "dossier: %v\n(%s --help says more)\n", err, helpFor(err))
		return 2
	}
	a := &app{ctx: postgres.WithActor(ctx, operator), environ: environ, in: in, out: out, err: errOut, json: cli.JSON,
		now: time.Now}
	return a.code(parsed.Run(a))
}

// helpFor is the command whose help says how to do it right.
func helpFor(err error) string {
	var wrong *kong.ParseError
	if errors.As(err, &wrong) && wrong.Context != nil && wrong.Context.Selected() != nil {
		return wrong.Context.Selected().FullPath()
	}
	return "dossier"
}

func (a *app) code(err error) int {
	var usage usageError
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errFound):
		return 1
	case errors.As(err, &usage):
		fmt.Fprintln(a.err, "dossier:", usage.message)
		return 2
	}
	fmt.Fprintln(a.err, "dossier:", forOperators(err))
	return 1
}

// forOperators adds what the API keeps from its callers: every fault, and the cause of an outage.
func forOperators(err error) string {
	text := err.Error()
	var known *dossier.Error
	if !errors.As(err, &known) {
		return text
	}
	for _, fault := range known.Faults {
		if !strings.Contains(text, fault.Detail) {
			text += "\n  " + fault.Detail
		}
	}
	if known.Kind == dossier.Unavailable && known.Cause != nil {
		text += " (" + known.Cause.Error() + ")"
	}
	return text
}

// config reads the environment.
func (a *app) config() (setup.Config, error) { return setup.Read(a.environ) }

// variable is one of the environment's, for those that only clients and this program read.
func (a *app) variable(name string) string {
	for _, pair := range a.environ {
		if value, ok := strings.CutPrefix(pair, name+"="); ok {
			return value
		}
	}
	return ""
}

// sandboxOff: somebody wrote down that documents may be read where a wall of the parser's sandbox is missing.
func (a *app) sandboxOff() bool { return a.variable("DOSSIER_PARSER_SANDBOX") == "off" }

// log is for what goes on beside a command: warnings only, and never into its result.
func (a *app) log() *slog.Logger {
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: slog.LevelWarn}))
}

// withDB runs do with the store open.
func (a *app) withDB(do func(db *postgres.DB, cfg setup.Config) error) error {
	cfg, err := a.config()
	if err != nil {
		return err
	}
	db, err := cfg.OpenDB(a.ctx, a.log())
	if err != nil {
		return err
	}
	defer db.Close()
	return do(db, cfg)
}

// inWorkspace is withDB for commands about one workspace, named by its key or id.
func (a *app) inWorkspace(name string, do func(db *postgres.DB, w dossier.Workspace) error) error {
	return a.withDB(func(db *postgres.DB, _ setup.Config) error {
		w, err := workspaceNamed(a.ctx, db, name)
		if err != nil {
			return err
		}
		return do(db, w)
	})
}

func workspaceNamed(ctx context.Context, db *postgres.DB, name string) (dossier.Workspace, error) {
	w, err := db.WorkspaceByKey(ctx, name)
	if dossier.KindOf(err) == dossier.NotFound {
		err = dossier.Errorf(dossier.NotFound, "there is no workspace %q (dossier workspaces list shows them)", name)
	}
	return w, err
}

// publicURL is where people and providers reach this installation: as configured, else as clients are told, else the
// address the API listens on.
func (a *app) publicURL(cfg setup.Config) string {
	for _, url := range []string{cfg.PublicURL, a.variable("DOSSIER_URL")} {
		if url != "" {
			return strings.TrimSuffix(url, "/")
		}
	}
	return "http://" + cfg.Addr
}

// operator is who audit entries of this program name.
var operator = postgres.Actor{Type: dossier.ActorSystem, Name: "operator"}
