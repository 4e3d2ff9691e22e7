package main

import (
	"context"
	"fmt"
	"math/rand/v2"

	"golang.org/x/sync/errgroup"

	"github.com/dossierhq/dossier"
	"github.com/dossierhq/dossier/storage/postgres"
)

var (
	seedFirst = []string{"Ada", "Ben", "Carla", "Dmitri", "Elena", "Farid", "Grace", "Hiro", "Ines", "Jonas",
		"Kavya", "Liam", "Maya", "Noor", "Oscar", "Priya"}
	seedLast     = []string{"Example", "Sample", "Specimen", "Placeholder", "Doe", "Roe", "Muster", "Tester"}
	seedBusiness = []string{"Bakery", "Plumbing", "Trucking", "Dental", "Landscaping", "Print Shop", "Brewery",
		"Roofing", "Florist", "Garage"}
	seedTags = []string{"vip", "referral", "renewal", "web", "broker"}
)

// seed makes up n leads. Names are invented and addresses lead nowhere (example.com, 555 numbers).
func (s *stack) seed(ctx context.Context, n int, say func(string, ...any)) error {
	random := rand.New(rand.NewPCG(uint64(n), 1))
	updates := make([]dossier.LeadUpdate, n)
	for i := range updates {
		updates[i] = madeUpLead(random, i)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(8)
	for _, update := range updates {
		group.Go(func() error {
			_, err := s.services.DB.CreateLead(ctx, s.ws, postgres.NewLead{LeadUpdate: update},
				postgres.Caller{Source: dossier.SourceImported})
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	say("%d made-up leads", n)
	return nil
}

func madeUpLead(random *rand.Rand, i int) dossier.LeadUpdate {
	pick := func(list []string) string { return list[random.IntN(len(list))] }
	first, last, trade := pick(seedFirst), pick(seedLast), pick(seedBusiness)
	return dossier.LeadUpdate{FirstName: dossier.Set(first), LastName: dossier.Set(last),
		BusinessName: dossier.Set(fmt.Sprintf("%s %s LLC", last, trade)),
		Email:        dossier.Set(fmt.Sprintf("lead%06d@example.com", i)),
		PhoneNumber:  dossier.Set(fmt.Sprintf("212555%04d", i%10000)), Tags: &[]string{pick(seedTags)}}
}
