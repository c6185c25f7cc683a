import { invalid } from '../../../base/shared/errors.ts';
import { resolveRange } from '../../../base/time/dates.ts';
import { formatUtc } from '../../../base/time/time.ts';
import { fieldOf } from '../predicates.ts';
import type { Period } from '../query-plan.ts';
import { answerAggregate, change, DATA_NOTICE } from '../questions/answer.ts';
import { askKpi, planContext, type QueryContext } from '../questions/ask.ts';
import { MAX_SHOWN_TEXT } from '../questions/fit.ts';
import { planKpi } from '../questions/plan.ts';
import { eventNamesOf, type KpiQuestion } from '../questions/question.ts';
import { askBreakdown } from './breakdown.ts';
import { candidatesFor } from './candidates.ts';
import { correctedByThreads } from './clusters.ts';
import { changeMeasureOf } from './measure.ts';
import { rankingOf } from './ranking.ts';
import type { ExplainChange, Explanation } from './schema.ts';
import { seriesNotes } from './seasonal.ts';
import { shownContributions } from './shown.ts';

/** Values of a property that are looked at apart. */
const MAX_VALUES = 200;
/** Timestamps are at most a day ahead: an open range ends after all events. */
const AHEAD_MS = 2 * 86_400_000;

/**
 * A question in which a metric's name is replaced by its definition, with what an explanation needs
 * beside it.
 */
export type ChangeQuestion = Omit<KpiQuestion, 'compareTo'> & Pick<ExplainChange, 'compareTo' | 'properties' | 'limit'>;

/**
 * Finds the groups of properties that carry the difference of two periods. Throws `unprocessable`
 * for a measure that cannot be split.
 */
export async function explainChange(
  { compareTo, properties: named, limit, ...question }: ChangeQuestion,
  context: QueryContext,
): Promise<Explanation> {
  const planning = planContext(context);
  const plan = planKpi({ ...question, compareTo: 'previous_period' }, planning);
  const [earlier, later] = periodsOf(plan, compareTo, planning.now);
  const dates = { now: planning.now, timezone: plan.range.timezone };
  const measure = changeMeasureOf(question, dates);
  const eventNames = eventNamesOf(question);
  const selection = {
    ...plan.overall.selection,
    from: Math.min(earlier.from, later.from),
    to: Math.max(earlier.to, later.to),
  };
  // This query waits for the receipt, so that those below need not.
  const answer = await answerAggregate(question, context);
  const inEarlier = { ...question, dateFrom: formatUtc(earlier.from), dateTo: formatUtc(earlier.to) };
  const measured = [
    question.propertyKey,
    ...Object.values(question.formula?.parts ?? {}).map((part) => part.propertyKey),
  ];
  const [previous, candidates, series] = await Promise.all([
    askKpi({ ...inEarlier, compareTo: undefined }, context),
    named
      ? { properties: [...new Set(named)], notes: [] }
      : candidatesFor(eventNames, { ...selection, ...later }, measured, context),
    seriesNotes(question, later, context),
  ]);
  const fields = candidates.properties.map(fieldOf);
  const asked = {
    kind: 'breakdown',
    selection,
    periods: [earlier, later],
    properties: fields,
    values: MAX_VALUES,
    maxText: MAX_SHOWN_TEXT,
  } as const;
  const breakdown = await askBreakdown(measure, asked, context);
  const judged = await correctedByThreads(measure, asked, breakdown, context);
  const ranking = rankingOf(judged, candidates.properties);
  const difference = change(answer, previous.overall);
  const shown = shownContributions(ranking.properties, {
    change: difference.change,
    linear: measure.form !== 'other',
    groups: limit,
    all: named !== undefined,
  });
  const confident = ranking.properties.some(({ standsOut }) => standsOut);
  return {
    current: answer.value,
    previous: previous.overall.value,
    change: difference.change,
    confident,
    ...shown,
    lookedAt: { properties: candidates.properties, comparisons: ranking.comparisons },
    ...(series.anomalies.length > 0 ? { anomalies: series.anomalies } : {}),
    basis: { ...answer.basis, previousFrom: formatUtc(earlier.from), previousTo: formatUtc(earlier.to) },
    notes: [
      ...answer.notes.filter((note) => note !== DATA_NOTICE),
      ...unclear({ change: difference.change, confident, looked: candidates.properties.length }),
      ...series.notes,
      ...candidates.notes,
      DATA_NOTICE,
    ],
  };
}

function periodsOf(
  { overall, previous, range }: ReturnType<typeof planKpi>,
  compareTo: ExplainChange['compareTo'],
  now: number,
): [earlier: Period, later: Period] {
  const later = { from: overall.selection.from!, to: overall.selection.to ?? now + AHEAD_MS };
  if (compareTo === 'previous_period') return [{ from: previous!.selection.from!, to: later.from }, later];
  const { from, to } = resolveRange(compareTo, { now, timezone: range.timezone });
  const earlier = { from: from!, to: to! };
  if (earlier.from < later.to && later.from < earlier.to) {
    throw invalid(
      'compareTo: overlaps the period from dateFrom to dateTo; compare periods that have no time in common',
    );
  }
  return [earlier, later];
}

function unclear({
  change,
  confident,
  looked,
}: {
  change: number | null;
  confident: boolean;
  looked: number;
}): string[] {
  if (change === null) return ['There is nothing to compare: one of the periods has no value.'];
  if (looked === 0) return ['No property could be looked at: no event has one with values that repeat.'];
  if (confident) return [];
  return ['No group stands out from chance: the change is spread over all of them, or too few events were counted.'];
}
