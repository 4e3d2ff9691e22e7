package analytics

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/dossierhq/dossier"
)

func at(text string) *time.Time {
	t, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		panic(err)
	}
	return &t
}

func write(t *testing.T, width int, reports ...dossier.LeadReport) string {
	t.Helper()
	var out bytes.Buffer
	file := NewCSV(&out, width)
	for _, r := range reports {
		if err := file.Write(r); err != nil {
			t.Fatal(err)
		}
	}
	if err := file.Flush(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// The columns of api.md, in its order, and one report with a figure of its own in each of them.
func TestCSV_columns(t *testing.T) {
	text := func(s string) *string { return &s }
	r := dossier.LeadReport{LeadID: "019b7d2a-0000-7000-8000-000000000001", FirstName: text("Ann"), PhoneNumber: text("+12125550123"),
		CreatedAt: *at("2026-01-02T03:04:05.678901+01:00"), CompletedAt: at("2026-01-03T00:00:00Z"),
		Interventions: dossier.Interventions{DocumentOverrides: 21, Escalations: 22, ManualUpdates: 23, MessageEdits: 24, MessageRejects: 25}}
	*r.Channels.Of(dossier.ChannelSMS) = dossier.MessageCounts{Inbound: 1, Outbound: 2, FirstInboundAt: at("2026-02-01T00:00:00Z"), LastInboundAt: at("2026-02-02T00:00:00Z"),
		FirstOutboundAt: at("2026-02-03T00:00:00Z"), LastOutboundAt: at("2026-02-04T00:00:00Z")}
	*r.Channels.Of(dossier.ChannelEmail) = dossier.MessageCounts{Inbound: 4, FirstInboundAt: at("2026-01-09T00:00:00Z"), LastInboundAt: at("2026-01-10T00:00:00Z")}
	r.SetItems([]dossier.ReportItem{
		{Code: "G.A", Required: true, Status: dossier.ItemCompleted, Value: json.RawMessage(`"x"`), UpdatedAt: *at("2026-03-01T00:00:00Z"), Source: dossier.SourcePortal},
		{Code: "B", Status: dossier.ItemTodo, UpdatedAt: *at("2026-03-02T00:00:00Z")},
	})
	want := `leadId=019b7d2a-0000-7000-8000-000000000001 firstName=Ann lastName= email= phoneNumber=+12125550123
		createdAt=2026-01-02T02:04:05.678Z completedAt=2026-01-03T00:00:00.000Z notInterestedAt= optedOutAt=
		totalMessages=7 inboundMessages=5 outboundMessages=2
		firstInboundAt=2026-01-09T00:00:00.000Z firstOutboundAt=2026-02-03T00:00:00.000Z lastInboundAt=2026-02-02T00:00:00.000Z lastOutboundAt=2026-02-04T00:00:00.000Z
		channels.sms.inbound=1 channels.sms.outbound=2 channels.sms.firstInboundAt=2026-02-01T00:00:00.000Z channels.sms.firstOutboundAt=2026-02-03T00:00:00.000Z
		channels.sms.lastInboundAt=2026-02-02T00:00:00.000Z channels.sms.lastOutboundAt=2026-02-04T00:00:00.000Z
		channels.email.inbound=4 channels.email.outbound=0 channels.email.firstInboundAt=2026-01-09T00:00:00.000Z channels.email.firstOutboundAt=
		channels.email.lastInboundAt=2026-01-10T00:00:00.000Z channels.email.lastOutboundAt=
		channels.whatsapp.inbound=0 channels.whatsapp.outbound=0 channels.whatsapp.firstInboundAt= channels.whatsapp.firstOutboundAt=
		channels.whatsapp.lastInboundAt= channels.whatsapp.lastOutboundAt=
		completion.totalRequired=1 completion.totalCompleted=1 completion.bySource.agent=0 completion.bySource.imported=0 completion.bySource.manual=0 completion.bySource.portal=1
		interventions.documentOverrides=21 interventions.escalations=22 interventions.manualUpdates=23 interventions.messageEdits=24 interventions.messageRejects=25
		checklist.0.code=G.A checklist.0.required=true checklist.0.status=COMPLETED checklist.0.value=x checklist.0.updatedAt=2026-03-01T00:00:00.000Z checklist.0.source=portal
		checklist.1.code=B checklist.1.required=false checklist.1.status=TODO checklist.1.value= checklist.1.updatedAt=2026-03-02T00:00:00.000Z checklist.1.source=
		checklist.2.code= checklist.2.required= checklist.2.status= checklist.2.value= checklist.2.updatedAt= checklist.2.source=`
	rows, err := csv.NewReader(strings.NewReader(write(t, 3, r))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(len(rows), err)
	}
	var got []string
	for i, name := range rows[0] {
		got = append(got, name+"="+rows[1][i])
	}
	if diff := cmp.Diff(strings.Fields(want), got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}

// What somebody typed stays a text and one cell (RFC 4180): the file's own form, as bytes.
func TestCSV_cells(t *testing.T) {
	for value, want := range map[string]string{
		`plain`:              `plain`,
		`a, "b"`:             `"a, ""b"""`,
		"two\r\nlines":       "\"two\r\nlines\"",
		` padded `:           `" padded "`,
		`=1+1`:               `'=1+1`,
		"\n=1+1":             "\"'\n=1+1\"",
		`＝1+1`:               `'＝1+1`,
		`＠SUM(A1)`:           `'＠SUM(A1)`,
		`=HYPERLINK("x")`:    `"'=HYPERLINK(""x"")"`,
		`@sum`:               `'@sum`,
		"\tx":                "'\tx",
		"\rx":                "\"'\rx\"",
		`-2+3`:               `'-2+3`,
		`+cmd|'/C calc'!A0`:  `'+cmd|'/C calc'!A0`,
		`-5`:                 `-5`,
		`+12125550123`:       `+12125550123`,
		`+1212555012312345x`: `'+1212555012312345x`,
		`-1.50`:              `-1.50`,
		`+2.5E-3`:            `+2.5E-3`,
		`-`:                  `'-`,
		`-.5`:                `'-.5`,
		`-1.`:                `'-1.`,
		`+1e`:                `'+1e`,
		`--1`:                `'--1`,
		`-1 `:                `"'-1 "`,
		`x `:                 "\"x\u00a0\"",
		`Zoë 日本`:             `Zoë 日本`,
		`back\slash`:         `back\slash`,
		``:                   ``,
	} {
		name := value
		encoded, err := json.Marshal(value)
		if err != nil {
			t.Fatal(err)
		}
		r := dossier.LeadReport{LeadID: "id", FirstName: &name, Items: []dossier.ReportItem{{Value: encoded}}}
		_, row, _ := strings.Cut(write(t, 1, r), "\r\n")
		if !strings.HasPrefix(row, "id,"+want+",") || !strings.HasSuffix(row, ",false,,"+want+",0001-01-01T00:00:00.000Z,\r\n") {
			t.Errorf("%q is written as %q", value, row)
		}
	}
	for value, want := range map[string]string{`null`: ``, ` 7 `: `7`, `-1.5e3`: `-1.5e3`, `["a","b"]`: `"[""a"",""b""]"`, `{"city":"Reno"}`: `"{""city"":""Reno""}"`, `true`: `true`, `""`: ``} {
		_, row, _ := strings.Cut(write(t, 1, dossier.LeadReport{Items: []dossier.ReportItem{{Value: json.RawMessage(value)}}}), "\r\n")
		if !strings.HasSuffix(row, ",false,,"+want+",0001-01-01T00:00:00.000Z,\r\n") {
			t.Errorf("%s is written as %q", value, row)
		}
	}
}

// Moments are written as time.Format writes them, in whatever year and zone.
func TestCSV_moments(t *testing.T) {
	zone := time.FixedZone("", -5*3600-1800)
	for _, moment := range []time.Time{*at("2026-12-31T23:59:59.999999Z"), *at("1969-07-20T20:17:40.001Z"), *at("0003-02-01T00:00:00Z"), time.Date(12026, 5, 6, 7, 8, 9, 10e6, zone), time.Date(2024, 2, 29, 23, 0, 0, 0, zone)} {
		_, row, _ := strings.Cut(write(t, 0, dossier.LeadReport{CreatedAt: moment}), "\r\n")
		if want := ",,,,," + moment.UTC().Format("2006-01-02T15:04:05.000Z") + ","; !strings.HasPrefix(row, want) {
			t.Errorf("%v is written as %.60q", moment, row)
		}
	}
}

type failing struct{ after int }

func (f *failing) Write(p []byte) (int, error) {
	if f.after -= len(p); f.after < 0 {
		return 0, errors.New("full")
	}
	return len(p), nil
}

// A checklist that is longer than the header is refused, and what the file cannot take is told.
func TestCSV_refuses(t *testing.T) {
	file := NewCSV(&failing{after: 1 << 20}, 1)
	if err := file.Write(dossier.LeadReport{Items: make([]dossier.ReportItem, 2)}); err == nil {
		t.Error("a cell was lost")
	}
	var err error
	for i := 0; err == nil && i < 1e6; i++ {
		err = file.Write(dossier.LeadReport{LeadID: dossier.LeadID(fmt.Sprint(i))})
	}
	if err == nil {
		t.Error("nobody heard that the disk is full")
	}
}
