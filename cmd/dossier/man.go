package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type manCommand struct{}

// Run prints the manual page of this command line: dossier man > /usr/local/share/man/man1/dossier.1.
func (manCommand) Run(a *app, parsed *kong.Context) error {
	var page strings.Builder
	page.WriteString(".TH DOSSIER 1\n.SH NAME\ndossier \\- the command line of Dossier\n" +
		".SH SYNOPSIS\n.B dossier\n.I command\n[\\fIargument\\fR ...] [\\fIflag\\fR ...]\n.SH DESCRIPTION\n")
	for paragraph := range strings.SplitSeq(about, "\n\n") {
		page.WriteString(roff(strings.ReplaceAll(paragraph, "\n", " ")) + "\n.PP\n")
	}
	for _, group := range groups {
		page.WriteString(".SH " + strings.ToUpper(roff(group.Title)) + "\n")
		for _, node := range parsed.Model.Leaves(true) {
			if groupOf(node) == group.Key {
				manEntry(&page, node)
			}
		}
	}
	page.WriteString(".SH EXIT STATUS\n0; 1 for an error or a finding; 2 for wrong usage.\n.SH ENVIRONMENT\n" +
		".TP\n.B DOSSIER_URL\nThe service's address, for callers of the API.\n" +
		".TP\n.B DOSSIER_API_KEY\nA key of the workspace, for callers of the API.\n" +
		".TP\n.B DOSSIER_INBOUND_EMAIL\nWhere the workspace takes email: some events of trigger begin there.\n" +
		".TP\n.B DATABASE_URL\nThe database, for operators, beside the other variables of the service.\n")
	_, err := io.WriteString(a.out, page.String())
	return err
}

// groupOf is the key of the heading under which a command stands: its own, or that of the command it belongs to.
func groupOf(node *kong.Node) string {
	for ; node != nil; node = node.Parent {
		if node.Group != nil {
			return node.Group.Key
		}
	}
	return ""
}

func manEntry(page *strings.Builder, node *kong.Node) {
	fmt.Fprintf(page, ".SS %s", roff(plainPath(node)))
	for _, positional := range node.Positional {
		page.WriteString(" " + roff(positional.Summary()))
	}
	page.WriteString("\n" + roff(node.Help) + "\n")
	for _, positional := range node.Positional {
		fmt.Fprintf(page, ".TP\n.I %s\n%s\n", roff(positional.Name), roff(positional.Help))
	}
	for _, flag := range node.Flags {
		if !flag.Hidden {
			fmt.Fprintf(page, ".TP\n.B %s\n%s\n", roff(flag.String()), roff(flag.Help))
		}
	}
}

// roff keeps a text from being taken for instructions of the typesetter.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	if strings.HasPrefix(text, ".") || strings.HasPrefix(text, "'") {
		return `\&` + text
	}
	return text
}
