// The program promql evaluates PromQL with Prometheus' own engine over scraped metrics. It reads a JSON question from
// standard input and writes a JSON answer to standard output.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/prometheus/promql"
	"github.com/prometheus/prometheus/promql/parser"
)

// question holds scraped metrics and the queries over them.
type question struct {
	Scrapes []scrape `json:"scrapes"`
	Queries []query  `json:"queries"`
}

// query is a query over a time range, both ends included, in milliseconds since the epoch.
type query struct {
	Expr  string `json:"expr"`
	Start int64  `json:"start"`
	End   int64  `json:"end"`
	Step  int64  `json:"step"`
}

// answer is the result of a query: an error, or its selectors and its series.
type answer struct {
	Error     *fault     `json:"error,omitempty"`
	Selectors []selector `json:"selectors"`
	Series    []series   `json:"series"`
}

// fault is an error, with the range of characters in the query if the parser knows it.
type fault struct {
	Message string `json:"message"`
	Start   *int   `json:"start,omitempty"`
	End     *int   `json:"end,omitempty"`
}

// selector is a selector of a query, with the number of series that it matches at any time.
type selector struct {
	Expr    string `json:"expr"`
	Matches int    `json:"matches"`
}

// series is a series of a result. A value is a string, as in Prometheus' own API, because JSON has no NaN.
type series struct {
	Labels map[string]string `json:"labels"`
	Points []point           `json:"points"`
}

type point struct {
	Time  int64  `json:"time"`
	Value string `json:"value"`
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "promql:", err)
		os.Exit(1)
	}
}

func run() error {
	var asked question
	if err := json.NewDecoder(os.Stdin).Decode(&asked); err != nil {
		return fmt.Errorf("the question is no JSON as expected: %w", err)
	}
	scraped, err := collect(asked.Scrapes)
	if err != nil {
		return err
	}
	expressions := parser.NewParser(parser.Options{})
	engine := promql.NewEngine(promql.EngineOpts{
		MaxSamples:           1_000_000,
		Timeout:              time.Minute,
		LookbackDelta:        5 * time.Minute,
		EnableAtModifier:     true,
		EnableNegativeOffset: true,
		Parser:               expressions,
	})
	answers := make([]answer, len(asked.Queries))
	for i, one := range asked.Queries {
		answers[i] = evaluate(engine, expressions, scraped, one)
	}
	return json.NewEncoder(os.Stdout).Encode(answers)
}

func evaluate(engine *promql.Engine, expressions parser.Parser, scraped *store, one query) answer {
	parsed, err := expressions.ParseExpr(one.Expr)
	if err != nil {
		return failed(err)
	}
	found := answer{Selectors: []selector{}, Series: []series{}}
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		if vector, ok := node.(*parser.VectorSelector); ok {
			found.Selectors = append(found.Selectors,
				selector{vector.String(), len(scraped.matching(vector.LabelMatchers))})
		}
		return nil
	})
	asked, err := engine.NewRangeQuery(context.Background(), scraped, nil, one.Expr,
		time.UnixMilli(one.Start), time.UnixMilli(one.End), time.Duration(one.Step)*time.Millisecond)
	if err != nil {
		return failed(err)
	}
	defer asked.Close()
	result := asked.Exec(context.Background())
	matrix, err := result.Matrix()
	if err != nil {
		return failed(err)
	}
	for _, row := range matrix {
		line := series{Labels: row.Metric.Map(), Points: []point{}}
		for _, sample := range row.Floats {
			line.Points = append(line.Points, point{sample.T, strconv.FormatFloat(sample.F, 'g', -1, 64)})
		}
		found.Series = append(found.Series, line)
	}
	return found
}

func failed(err error) answer {
	said := fault{Message: err.Error()}
	var errs parser.ParseErrors
	if errors.As(err, &errs) && len(errs) > 0 {
		from, to := int(errs[0].PositionRange.Start), int(errs[0].PositionRange.End)
		said.Start, said.End = &from, &to
	}
	return answer{Error: &said, Selectors: []selector{}, Series: []series{}}
}
