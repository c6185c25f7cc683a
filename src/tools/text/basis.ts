import { formatNumber } from '../../core/analytics/dashboards/format.ts';
import type { RenderedCard } from '../../core/analytics/dashboards/render.ts';
import type { FunnelBasis, QueryBasis } from '../../core/analytics/events/questions/answer-schema.ts';
import { oneLine } from '../../core/base/shared/text.ts';
import { cell } from './table.ts';

/** Members that the sentence says in words; any other is named. */
const SAID = new Set([
  ...['eventName', 'agentId', 'aggregation', 'propertyKey', 'filters', 'numerator', 'steps', 'by', 'windowSeconds'],
  ...['retention', 'from', 'to', 'timezone', 'matchedEvents', 'lastEventAt'],
]);

/** One sentence on all that an answer rests on. `previous`: the period that it compares with. */
export function basisText(basis: RenderedCard['basis'], previous?: { from: string; to: string }): string {
  const { eventName, agentId, aggregation, propertyKey, filters, from, to, timezone, matchedEvents, lastEventAt } =
    basis;
  const { numerator, steps, by, windowSeconds, retention } = basis as Partial<FunnelBasis & QueryBasis>;
  const others = Object.entries(basis).filter(([name, value]) => !SAID.has(name) && value !== undefined);
  const parts = [
    `${aggregation ? `${aggregation}${propertyKey ? `(${propertyKey})` : ''} of ` : ''}${eventName}`,
    agentId === null ? 'all agents' : `agent ${agentId}`,
    ...(filters.length > 0 ? [`filters ${JSON.stringify(filters)}`] : []),
    ...(numerator ? [`numerator ${JSON.stringify(numerator)}`] : []),
    ...funnelText(steps),
    ...(by === undefined ? [] : [`by ${by}`]),
    ...(windowSeconds === undefined ? [] : [`within ${windowSeconds} s`]),
    ...(retention ? retentionText(retention) : []),
    `${from ?? 'the first event'} to ${to ?? 'now'}`,
    ...(previous ? [`compared with ${previous.from} to ${previous.to}`] : []),
    timezone,
    `${formatNumber(matchedEvents)} events matched`,
    lastEventAt === null ? 'none seen' : `last event ${lastEventAt}`,
    ...others.map(([name, value]) => `${name} ${cell(value)}`),
  ];
  return oneLine(`Basis: ${parts.join('; ')}.`);
}

function funnelText(steps: FunnelBasis['steps'] = []): string[] {
  return steps.flatMap(({ filters }, index) =>
    filters.length > 0 ? [`step ${index + 1} filters ${JSON.stringify(filters)}`] : [],
  );
}

function retentionText({ start, returned, by, dateGrouping, periods }: NonNullable<QueryBasis['retention']>): string[] {
  const side = (name: string, { eventName, filters }: typeof start) =>
    `${name} ${eventName}${filters.length > 0 ? ` with filters ${JSON.stringify(filters)}` : ''}`;
  return [side('start', start), side('returned', returned), `by ${by}`, `${periods} periods by ${dateGrouping}`];
}
