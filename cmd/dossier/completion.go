package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/alecthomas/kong"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Run prints what a shell completes this command line with: source <(dossier completion bash).
func (c completionCommand) Run(a *app, parsed *kong.Context) error {
	words := map[string][]string{}
	var order []string
	_ = kong.Visit(parsed.Model.Node, func(visited kong.Visitable, next kong.Next) error {
		if node, ok := visited.(*kong.Node); ok && !node.Hidden {
			path := strings.TrimPrefix(strings.TrimSpace(strings.TrimPrefix(plainPath(node), "dossier")), " ")
			order = append(order, path)
			words[path] = wordsAfter(node)
		}
		return next(nil)
	})
	switch c.Shell {
	case "fish":
		return fishCompletion(a.out, order, words)
	case "zsh":
		if _, err := fmt.Fprintln(a.out, "autoload -U +X bashcompinit && bashcompinit"); err != nil {
			return err
		}
	}
	return bashCompletion(a.out, order, words)
}

// plainPath is a command's words, without its arguments.
func plainPath(node *kong.Node) string {
	if node.Parent == nil {
		return node.Name
	}
	return plainPath(node.Parent) + " " + node.Name
}

// wordsAfter are the commands and flags that may follow a command.
func wordsAfter(node *kong.Node) []string {
	var out []string
	for _, child := range node.Children {
		if child.Type == kong.CommandNode && !child.Hidden {
			out = append(out, child.Name)
		}
	}
	for _, group := range node.AllFlags(true) {
		for _, flag := range group {
			out = append(out, "--"+flag.Name)
		}
	}
	return out
}

func bashCompletion(w io.Writer, order []string, words map[string][]string) error {
	var text strings.Builder
	text.WriteString("_dossier() {\n  local word path= next i\n  for ((i = 1; i < COMP_CWORD; i++)); do\n" +
		"    word=${COMP_WORDS[i]}\n    [[ $word == -* ]] && continue\n    next=\"${path:+$path }$word\"\n    case " +
		"\"$next\" in\n")
	for _, path := range order {
		if path != "" {
			fmt.Fprintf(&text, "      %q) path=$next ;;\n", path)
		}
	}
	text.WriteString("    esac\n  done\n  case \"$path\" in\n")
	for _, path := range order {
		fmt.Fprintf(&text, "    %q) COMPREPLY=($(compgen -W %q -- \"${COMP_WORDS[COMP_CWORD]}\")) ;;\n", path,
			strings.Join(words[path], " "))
	}
	text.WriteString("  esac\n}\ncomplete -o default -F _dossier dossier\n")
	_, err := io.WriteString(w, text.String())
	return err
}

func fishCompletion(w io.Writer, order []string, words map[string][]string) error {
	var text strings.Builder
	for _, path := range order {
		condition := "__fish_use_subcommand"
		if path != "" {
			parts := strings.Fields(path)
			condition = "__fish_seen_subcommand_from " + parts[len(parts)-1]
		}
		for _, word := range words[path] {
			if name, isFlag := strings.CutPrefix(word, "--"); isFlag {
				fmt.Fprintf(&text, "complete -c dossier -n %q -l %s\n", condition, name)
				continue
			}
			fmt.Fprintf(&text, "complete -c dossier -f -n %q -a %s\n", condition, word)
		}
	}
	_, err := io.WriteString(w, text.String())
	return err
}
