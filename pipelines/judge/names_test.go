package judge

import "testing"

func TestLikePerson(t *testing.T) {
	for _, c := range []struct {
		expected, printed string
		want              likeness
	}{
		{"John Smith", "JOHN SMITH", sameName},
		{"John Smith", "Smith, John", sameName},
		{"John Smith", "SMITH JOHN", sameName},
		{"John Smith", "Mr. John Q. Smith", sameName},
		{"John Quincy Smith", "John Q Smith", sameName},
		{"John Quincy Smith", "J.Q. Smith", sameName},
		{"John Q Smith", "SMITH, JOHN QUINCY", sameName},
		{"José Núñez", "JOSE NUNEZ", sameName},
		{"Mary O'Brien", "MARY OBRIEN", sameName},
		{"Mary O'Brien", "Mary O Brien", sameName},
		{"Ann Smith-Jones", "ANN SMITH JONES", sameName},
		{"John Smith Jr", "John Smith, Jr.", sameName},
		{"John Smith", "John Smith Jr", sameName},
		{"John Smith", "John Michael Smith", sameName},
		{"Maria Garcia Lopez", "MARIA GARCIA", sameName},
		{"Carmella Finnerty", "Kevin & Carmella Finnerty", sameName},
		{"Kevin Finnerty", "Kevin and Carmella Finnerty", sameName},
		{"Kevin Finnerty", "KEVIN FINNERTY OR CARMELLA FINNERTY", sameName},

		{"John Smith Jr", "John Smith III", nearName},
		{"John Smith", "J Smith", nearName},
		{"John Smith", "Jon Smith", nearName},
		{"John Smith", "Johnn Smith", nearName},
		{"Catherine Miller", "Katherine Miller", nearName},
		{"Robert Miller", "Bob Miller", nearName},
		{"John Andrew Smith", "John Brian Smith", nearName},
		{"John A Smith", "John B Smith", nearName},
		{"John Smith", "Michael John Smith", nearName},
		{"Christopher Miller", "CHRISTOPHE MILLER", nearName},

		{"John Smith", "Jane Smith", otherName},
		{"John Smith", "John Miller", otherName},
		{"John Smith", "ACME LLC", otherName},
		{"John Smith", "", otherName},
		{"", "John Smith", otherName},
	} {
		if got := matchPerson(c.expected, c.printed); got != c.want {
			t.Errorf("expected %q, printed %q: %d, want %d", c.expected, c.printed, got, c.want)
		}
	}
}

func TestLikeBusiness(t *testing.T) {
	for _, c := range []struct {
		expected, printed string
		want              likeness
	}{
		{"Acme LLC", "ACME, L.L.C.", sameName},
		{"Acme LLC", "Acme Limited Liability Company", sameName},
		{"Acme LLC", "ACME", sameName},
		{"Acme", "ACME INC", sameName},
		{"Acme Inc", "Acme Incorporated", sameName},
		{"Acme Corp.", "ACME CORPORATION", sameName},
		{"Acme Company, Inc.", "Acme Co Inc", sameName},
		{"The Acme Group", "ACME GROUP", sameName},
		{"Acme Services LLC", "ACME SVCS LLC", sameName},
		{"Smith & Sons", "SMITH AND SONS", sameName},
		{"Joe's Pizza", "ACME LLC DBA JOES PIZZA", sameName},
		{"Acme LLC d/b/a Joe's Pizza", "Acme LLC", sameName},
		{"Acme LLC d/b/a Joe's Pizza", "JOE'S PIZZA", sameName},
		{"BlueSky Media", "BLUE SKY MEDIA", sameName},
		{"Müller Ltd", "MULLER LIMITED", sameName},

		{"Acme LLC", "Acme Inc", nearName},
		{"Acme Construction Services LLC", "ACME CONSTRUCTION SER", nearName},
		{"Acme Holdings", "Acme", nearName},
		{"Acme Logistics", "Acme Logistcs", nearName},

		{"Acme Logistics LLC", "Apex Logistics LLC", otherName},
		{"Acme LLC", "Best LLC", otherName},
		{"Acme LLC", "LLC", otherName},
		{"Acme LLC", "", otherName},
		{"Acme Services", "Bravo Services", otherName},
	} {
		if got := matchBusiness(c.expected, c.printed); got != c.want {
			t.Errorf("expected %q, printed %q: %d, want %d", c.expected, c.printed, got, c.want)
		}
	}
}
