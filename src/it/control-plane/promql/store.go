package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/prometheus/prometheus/model/histogram"
	"github.com/prometheus/prometheus/model/labels"
	"github.com/prometheus/prometheus/model/textparse"
	"github.com/prometheus/prometheus/model/value"
	"github.com/prometheus/prometheus/storage"
	"github.com/prometheus/prometheus/tsdb/chunkenc"
	"github.com/prometheus/prometheus/tsdb/chunks"
	"github.com/prometheus/prometheus/util/annotations"
)

// scrape is an answer of a target in the text format. Text is nil if the target did not answer.
type scrape struct {
	Time   int64             `json:"time"` // milliseconds since the epoch
	Target map[string]string `json:"target"`
	Text   *string           `json:"text"`
}

// store holds all scrapes as Prometheus does. Series have the target's labels, and a label that the target itself sets
// moves to exported_*. Each target has a series up. A series that a target no longer exposes is marked as stale.
type store struct {
	series map[uint64]*kept
}

type kept struct {
	labels  labels.Labels
	samples []chunks.Sample
}

// sample is a value at a time.
type sample struct {
	time  int64
	value float64
}

func (s sample) T() int64                      { return s.time }
func (s sample) ST() int64                     { return 0 }
func (s sample) F() float64                    { return s.value }
func (s sample) H() *histogram.Histogram       { return nil }
func (s sample) FH() *histogram.FloatHistogram { return nil }
func (s sample) Type() chunkenc.ValueType      { return chunkenc.ValFloat }
func (s sample) Copy() chunks.Sample           { return s }

func collect(scrapes []scrape) (*store, error) {
	all := &store{map[uint64]*kept{}}
	before := map[string]map[uint64]bool{}
	slices.SortStableFunc(scrapes, func(a, b scrape) int { return int(a.Time - b.Time) })
	for _, one := range scrapes {
		target := labels.FromMap(one.Target)
		seen, err := all.add(one, target)
		if err != nil {
			return nil, fmt.Errorf("what %s answered at %d: %w", target, one.Time, err)
		}
		for hash := range before[target.String()] {
			if !seen[hash] {
				all.series[hash].note(one.Time, math.Float64frombits(value.StaleNaN))
			}
		}
		before[target.String()] = seen
	}
	return all, nil
}

// add returns the hashes of the series that the target exposed.
func (s *store) add(one scrape, target labels.Labels) (map[uint64]bool, error) {
	seen := map[uint64]bool{}
	up := labels.NewBuilder(target).Set(labels.MetricName, "up").Labels()
	if one.Text == nil {
		s.of(up).note(one.Time, 0)
		return seen, nil
	}
	s.of(up).note(one.Time, 1)
	symbols := labels.NewSymbolTable()
	text := textparse.NewPromParser([]byte(*one.Text), symbols, false)
	for {
		entry, err := text.Next()
		if errors.Is(err, io.EOF) {
			return seen, nil
		}
		if err != nil {
			return nil, err
		}
		if entry != textparse.EntrySeries {
			continue
		}
		_, _, now := text.Series()
		var exposed labels.Labels
		text.Labels(&exposed)
		all := merged(exposed, target)
		s.of(all).note(one.Time, now)
		seen[all.Hash()] = true
	}
}

func merged(exposed, target labels.Labels) labels.Labels {
	all := labels.NewBuilder(exposed)
	target.Range(func(own labels.Label) {
		if other := exposed.Get(own.Name); other != "" {
			all.Set("exported_"+own.Name, other)
		}
		all.Set(own.Name, own.Value)
	})
	return all.Labels()
}

func (s *store) of(own labels.Labels) *kept {
	known, ok := s.series[own.Hash()]
	if !ok {
		known = &kept{labels: own}
		s.series[own.Hash()] = known
	}
	return known
}

func (k *kept) note(time int64, now float64) {
	k.samples = append(k.samples, sample{time, now})
}

func (s *store) matching(matchers []*labels.Matcher) []storage.Series {
	var found []storage.Series
	for _, one := range s.series {
		if !slices.ContainsFunc(matchers, func(m *labels.Matcher) bool { return !m.Matches(one.labels.Get(m.Name)) }) {
			found = append(found, storage.NewListSeries(one.labels, one.samples))
		}
	}
	slices.SortFunc(found, func(a, b storage.Series) int { return labels.Compare(a.Labels(), b.Labels()) })
	return found
}

// Querier makes the store a storage.Queryable.
func (s *store) Querier(int64, int64) (storage.Querier, error) {
	return &storage.MockQuerier{
		SelectMockFunction: func(_ bool, _ *storage.SelectHints, matchers ...*labels.Matcher) storage.SeriesSet {
			return &set{series: s.matching(matchers), at: -1}
		},
	}, nil
}

// set iterates over the series of one selector.
type set struct {
	series []storage.Series
	at     int
}

func (s *set) Next() bool                        { s.at++; return s.at < len(s.series) }
func (s *set) At() storage.Series                { return s.series[s.at] }
func (s *set) Err() error                        { return nil }
func (s *set) Warnings() annotations.Annotations { return nil }

var _ storage.Queryable = (*store)(nil)
