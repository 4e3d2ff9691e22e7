package postgres_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
	"github.com/dossierhq/dossier/storage/postgres/pgtest"
)

// keyed is a workspace in which calls come with a key.
type keyed struct {
	*pgtest.Server
	ws  dossier.WorkspaceID
	key postgres.IdempotencyKey
}

func newKeyed(t *testing.T) *keyed {
	t.Helper()
	s := pgtest.New(t)
	return &keyed{s, s.Workspace(t), postgres.IdempotencyKey{Method: "POST", Path: "/leads", Key: "k"}}
}

// call claims the key for a body: "run" with the claim, else the answer of before, or the code of the refusal.
func (k *keyed) call(t *testing.T, body string) (*postgres.IdempotencyClaim, string) {
	t.Helper()
	claim, stored, err := k.DB.ClaimIdempotency(t.Context(), k.ws, k.key, []byte(body), time.Minute)
	var refused *dossier.Error
	switch {
	case errors.As(err, &refused):
		if refused.Kind == dossier.Unprocessable {
			return nil, "another body"
		}
		return nil, refused.Code
	case err != nil:
		t.Fatal(err)
	case claim != nil:
		return claim, "run"
	}
	return nil, fmt.Sprint(stored.Status, " ", stored.Headers["Location"], " ", string(stored.Body))
}

func (k *keyed) is(t *testing.T, body, want string) *postgres.IdempotencyClaim {
	t.Helper()
	claim, got := k.call(t, body)
	if got != want {
		t.Errorf("with the body %q: %s, want %s", body, got, want)
	}
	return claim
}

// lead makes a lead under a claim.
func (k *keyed) lead(t *testing.T, claim *postgres.IdempotencyClaim) (dossier.LeadID, error) {
	t.Helper()
	return k.DB.CreateLead(postgres.WithIdempotency(t.Context(), claim), k.ws,
		postgres.NewLead{LeadUpdate: dossier.LeadUpdate{Email: dossier.Set("ann@example.com")}}, byAPI)
}

func (k *keyed) leads(t *testing.T, want int) {
	t.Helper()
	if n := pgtest.Value[int](t, k.Server, `SELECT count(*) FROM leads`); n != want {
		t.Errorf("%d leads, want %d", n, want)
	}
}

// While the first call runs, others wait; afterwards they get its answer word for word, sealed where it is kept; after a
// day the key is forgotten. A key is one of a path, a method and a workspace.
func TestClaimIdempotency(t *testing.T) {
	t.Parallel()
	k := newKeyed(t)
	claim := k.is(t, "a", "run")
	k.is(t, "a", "idempotency_in_progress")
	k.is(t, "b", "another body")
	answer := postgres.StoredAnswer{Status: 201, Headers: map[string]string{"Location": "/x"}, Body: []byte(`{"ssn":"1"}`)}
	if err := k.DB.SettleIdempotency(t.Context(), claim, answer); err != nil {
		t.Fatal(err)
	}
	k.is(t, "a", `201 /x {"ssn":"1"}`)
	k.is(t, "", `201 /x {"ssn":"1"}`) // an upload whose body has not come yet
	k.is(t, "b", "another body")
	if kept := pgtest.Value[string](t, k.Server, `SELECT encode(body, 'escape') FROM idempotency_keys`); kept ==
		`{"ssn":"1"}` {
		t.Error("the answer is kept in the open")
	}
	for body, same := range map[string]bool{"a": true, "b": false} {
		if err := k.DB.CheckIdempotentBody(t.Context(), k.ws, k.key, []byte(body)); (err == nil) != same {
			t.Errorf("body %q compared: %v", body, err)
		}
	}
	other := *k
	other.ws = k.Workspace(t)
	other.is(t, "a", "run")
	other = *k
	other.key.Path = "/leads/1"
	other.is(t, "b", "run")
	k.Clock.Advance(24*time.Hour - time.Microsecond)
	k.is(t, "a", `201 /x {"ssn":"1"}`)
	k.Clock.Advance(time.Microsecond)
	k.is(t, "b", "run")
}

// A call that dies after its commit leaves its effect: whoever repeats it gets the result and makes nothing twice. One
// that was taken over while it worked changes nothing any more.
func TestClaimIdempotency_taken_over(t *testing.T) {
	t.Parallel()
	k := newKeyed(t)
	slow := k.is(t, "a", "run")
	k.Clock.Advance(time.Minute) // its lease has run out
	k.is(t, "b", "another body")
	claim := k.is(t, "a", "run")
	first, err := k.lead(t, claim)
	if err != nil {
		t.Fatal(err)
	}
	var refused *dossier.Error
	if _, err := k.lead(t, slow); !errors.As(err, &refused) || refused.Code != "idempotency_in_progress" {
		t.Errorf("who was taken over still works: %v", err)
	}
	if err := k.DB.SettleIdempotency(t.Context(), slow, postgres.StoredAnswer{Status: 500}); err != nil {
		t.Fatal(err)
	}
	k.leads(t, 1)
	k.is(t, "a", "idempotency_in_progress") // it has time to answer
	k.Clock.Advance(5 * time.Second)
	again := k.is(t, "a", "run")
	if same, err := k.lead(t, again); err != nil || same != first {
		t.Errorf("the repeat made %s, %v; want %s", same, err, first)
	}
	k.leads(t, 1)
	second, err := k.lead(t, again) // the same operation once more in this call is another effect
	if err != nil || second == first {
		t.Errorf("%s, %v", second, err)
	}
	k.leads(t, 2)
	if err := k.DB.SettleIdempotency(t.Context(), again, postgres.StoredAnswer{Status: 201}); err != nil {
		t.Fatal(err)
	}
	k.is(t, "a", "201  ")
}

// An answer that is not kept gives the key back at once: empty where nothing was done, with its effect where something
// was.
func TestReleaseIdempotency(t *testing.T) {
	t.Parallel()
	k := newKeyed(t)
	claim := k.is(t, "a", "run")
	if err := k.DB.ReleaseIdempotency(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	claim = k.is(t, "b", "run") // another body: nothing is known of the first
	first, err := k.lead(t, claim)
	if err != nil {
		t.Fatal(err)
	}
	if err := k.DB.ReleaseIdempotency(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	k.is(t, "a", "another body")
	again := k.is(t, "b", "run")
	if same, err := k.lead(t, again); err != nil || same != first {
		t.Errorf("%s, %v; want %s", same, err, first)
	}
	k.leads(t, 1)
	if err := k.DB.ReleaseIdempotency(t.Context(), claim); err != nil { // no longer its own: nothing changes
		t.Fatal(err)
	}
	k.is(t, "b", "idempotency_in_progress")
}

// An upload is claimed before its body is known; when it turns out to be another one nothing is written.
func TestClaimIdempotency_before_its_body(t *testing.T) {
	t.Parallel()
	k := newKeyed(t)
	first := k.is(t, "a", "run")
	if err := k.DB.ReleaseIdempotency(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	claim := k.is(t, "", "run")
	claim.BodyHash = []byte("a")
	if _, err := k.lead(t, claim); err != nil {
		t.Fatal(err)
	}
	if err := k.DB.ReleaseIdempotency(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	repeat := k.is(t, "", "run")
	repeat.BodyHash = []byte("b")
	if _, err := k.lead(t, repeat); dossier.KindOf(err) != dossier.Unprocessable {
		t.Errorf("another body under the key: %v", err)
	}
	k.leads(t, 1)
}

// A transaction that fails leaves nothing with its key: the repeat runs it.
func TestIdempotency_rolls_back(t *testing.T) {
	t.Parallel()
	k := newKeyed(t)
	claim := k.is(t, "a", "run")
	ctx := postgres.WithIdempotency(t.Context(), claim)
	bad := dossier.LeadUpdate{Email: dossier.Set("ann@example.com"), ExternalLeadID: dossier.Set("crm-1")}
	other, err := k.DB.CreateLead(t.Context(), k.ws, postgres.NewLead{LeadUpdate: bad}, byAPI)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := k.DB.CreateLead(ctx, k.ws, postgres.NewLead{LeadUpdate: bad}, byAPI); dossier.KindOf(err) !=
		dossier.Conflict {
		t.Errorf("an external id twice: %v", err)
	}
	if err := k.DB.ReleaseIdempotency(t.Context(), claim); err != nil {
		t.Fatal(err)
	}
	if n := pgtest.Value[int](t, k.Server, `SELECT count(*) FROM idempotency_keys`); n != 0 {
		t.Errorf("%d keys keep an effect that never was", n)
	}
	if err := k.DB.DeleteLead(t.Context(), k.ws, other, false, byAPI); err != nil {
		t.Fatal(err)
	}
	claim = k.is(t, "a", "run")
	if _, err := k.DB.CreateLead(postgres.WithIdempotency(t.Context(), claim), k.ws, postgres.NewLead{LeadUpdate: bad},
		byAPI); err != nil {
		t.Error(err)
	}
}
