// Package channeltest has doubles of the providers of messages, at the wire: a mail server and Twilio. They check what
// they receive as strictly as the real ones. Only tests import it.
package channeltest

import (
	"bufio"
	"encoding/base64"
	"fmt"
	"net"
	"net/mail"
	"strings"
	"sync"
	"testing"
)

// MailUser and MailPassword let a client into the mail server.
const (
	MailUser     = "files"
	MailPassword = "correct horse"
)

// MailServer is an SMTP server on this machine.
type MailServer struct {
	Host string
	Port int

	mu      sync.Mutex
	letters []Letter
	script  []MailFault
	wrong   []string
}

// Letter is a message that the server took.
type Letter struct {
	From, To string
	Options  string // of RCPT: what a notification is wanted for
	Header   mail.Header
	Raw      string
}

// MailFault is what the server does instead of taking the next message.
type MailFault string

// Faults.
const (
	RefuseAddress MailFault = "550 5.1.1 no such user"     // at RCPT
	Greylist      MailFault = "451 4.7.1 come back later"  // at RCPT
	RefuseContent MailFault = "554 5.7.1 looks like spam"  // after DATA
	HangUpAfter   MailFault = "hang up after the last dot" // the message is taken, the answer lost
	HangUpBefore  MailFault = "hang up at DATA"
)

// NewMailServer starts one. What it finds wrong fails the test at its end.
func NewMailServer(t testing.TB, script ...MailFault) *MailServer {
	t.Helper()
	var lc net.ListenConfig
	listener, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().(*net.TCPAddr)
	s := &MailServer{Host: "127.0.0.1", Port: address.Port, script: script}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { s.talk(conn) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		all.Wait()
		for _, wrong := range s.wrong {
			t.Errorf("the mail server was told wrongly: %s", wrong)
		}
	})
	return s
}

// Letters lists what the server took.
func (s *MailServer) Letters() []Letter {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Letter{}, s.letters...)
}

func (s *MailServer) fault(of ...MailFault) MailFault {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, fault := range of {
		if len(s.script) > 0 && s.script[0] == fault {
			s.script = s.script[1:]
			return fault
		}
	}
	return ""
}

func (s *MailServer) complain(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.wrong = append(s.wrong, fmt.Sprintf(format, args...))
}

func (s *MailServer) talk(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	say := func(line string) { _, _ = conn.Write([]byte(line + "\r\n")) }
	say("220 mail.example ESMTP")
	var letter Letter
	known := false
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return
		}
		if !strings.HasSuffix(line, "\r\n") {
			s.complain("a line without CRLF: %q", line)
		}
		line = strings.TrimRight(line, "\r\n")
		verb, rest, _ := strings.Cut(line, " ")
		switch strings.ToUpper(verb) {
		case "EHLO", "HELO":
			say("250-mail.example\r\n250-AUTH PLAIN LOGIN\r\n250-8BITMIME\r\n250-ENHANCEDSTATUSCODES\r\n250 DSN")
		case "AUTH":
			if known = s.admit(rest); !known {
				say("535 5.7.8 wrong credentials")
				continue
			}
			say("235 2.7.0 welcome")
		case "MAIL":
			if !known {
				say("530 5.7.0 who are you")
				continue
			}
			letter = Letter{From: between(rest)}
			say("250 2.1.0 ok")
		case "RCPT":
			if fault := s.fault(RefuseAddress, Greylist); fault != "" {
				say(string(fault))
				continue
			}
			letter.To = between(rest)
			_, letter.Options, _ = strings.Cut(rest, "> ")
			say("250 2.1.5 ok")
		case "DATA":
			if s.fault(HangUpBefore) != "" {
				return
			}
			say("354 go on")
			if letter.Raw, err = s.readData(in); err != nil {
				return
			}
			if fault := s.fault(RefuseContent); fault != "" {
				say(string(fault))
				continue
			}
			s.keep(letter)
			if s.fault(HangUpAfter) != "" {
				return
			}
			say("250 2.0.0 taken")
		case "RSET", "NOOP":
			say("250 2.0.0 ok")
		case "*":
			say("501 5.7.0 given up")
		case "QUIT":
			say("221 2.0.0 bye")
			return
		default:
			s.complain("unknown command %q", line)
			say("500 5.5.1 what")
		}
	}
}

func (s *MailServer) admit(rest string) bool {
	_, encoded, _ := strings.Cut(rest, " ")
	plain, err := base64.StdEncoding.DecodeString(encoded)
	return err == nil && string(plain) == "\x00"+MailUser+"\x00"+MailPassword
}

func between(rest string) string {
	_, after, _ := strings.Cut(rest, "<")
	address, _, _ := strings.Cut(after, ">")
	return address
}

func (s *MailServer) readData(in *bufio.Reader) (string, error) {
	var data strings.Builder
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return "", err
		}
		if line == ".\r\n" {
			return data.String(), nil
		}
		if len(line) > 1000 {
			s.complain("a line of %d bytes; 998 are allowed", len(line)-2)
		}
		data.WriteString(strings.TrimPrefix(line, "."))
	}
}

func (s *MailServer) keep(letter Letter) {
	message, err := mail.ReadMessage(strings.NewReader(letter.Raw))
	if err != nil {
		s.complain("a message that cannot be read: %v", err)
		return
	}
	letter.Header = message.Header
	for _, name := range []string{"From", "To", "Date", "Message-Id", "Subject", "Mime-Version"} {
		if len(message.Header[name]) != 1 {
			s.complain("header %s stands %d times", name, len(message.Header[name]))
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.letters = append(s.letters, letter)
}
