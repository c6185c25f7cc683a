import type { Schemas } from '../../api/schemas.ts';
import { t } from '../../language/index.ts';
import { aliasOf, newMetric } from '../../question/state/table-rows.ts';
import { keysOf, membersIn, textOf } from '../../question/state/text.ts';
import { AGGREGATIONS } from '../../question/words/words.ts';

export type View = 'kpi' | 'table' | 'feed';

export const VIEWS: readonly { value: View; label: string }[] = [
  { value: 'kpi', label: t('KPI') },
  { value: 'table', label: t('Table') },
  { value: 'feed', label: t('Events') },
];

export function viewOf(text: string | undefined): View {
  return VIEWS.find(({ value }) => value === text)?.value ?? 'kpi';
}

/** The members that each view has: which events are looked at. */
const SHARED = ['eventName', 'filters', 'segment', 'dateFrom', 'dateTo', 'timezone'];

/** The question of one view for another: the same events, and the same groups where the view has them. */
export function questionFor(view: View, from: View, text: string | undefined): string | undefined {
  const given = membersIn(text);
  if (view === from) return text;
  const shared = Object.fromEntries(SHARED.flatMap((name) => (name in given ? [[name, given[name]]] : [])));
  if (textOf(shared.eventName) === '') return undefined;
  const measured = view === 'feed' ? {} : { ...(view === 'kpi' ? kpiOf(given) : tableOf(given)) };
  return JSON.stringify({ ...shared, ...measured });
}

function kpiOf({ mode, groupBy, metrics }: Record<string, unknown>) {
  const [first] = (Array.isArray(metrics) ? metrics : []) as Record<string, unknown>[];
  if (mode !== 'aggregate' || !first) return { aggregation: 'count', dateGrouping: 'day' };
  const { aggregation, propertyKey } = first;
  const keys = keysOf(groupBy);
  return { aggregation, propertyKey, ...(keys.length > 0 && { group_by: keys.length === 1 ? keys[0] : keys }) };
}

function tableOf({ aggregation, propertyKey, group_by }: Record<string, unknown>) {
  const groupBy = keysOf(group_by);
  const known = AGGREGATIONS.find(({ value }) => value === aggregation)?.value;
  if (groupBy.length === 0 || known === undefined) return { mode: 'raw' };
  const row = { ...newMetric(), aggregation: known, propertyKey: textOf(propertyKey) };
  const measured = { aggregation: known, ...(row.propertyKey !== '' && { propertyKey: row.propertyKey }) };
  return { mode: 'aggregate', groupBy, metrics: [{ ...measured, alias: aliasOf(row) }] };
}

/** Events of the runtime itself come last: people look for those of their business. */
export function commonest(events: readonly Schemas['DiscoveredEvent'][]): string | undefined {
  const isOwn = ({ eventName }: { eventName: string }) => eventName.startsWith('runtime.');
  const [first] = events.toSorted((one, other) => Number(isOwn(one)) - Number(isOwn(other)) || other.count - one.count);
  return first?.eventName;
}

/** The question of a view before anybody has asked: the events per day of the last month, or the newest ones. */
export function defaultQuestion(view: View, eventName: string): string {
  return JSON.stringify(
    view === 'table'
      ? { eventName, mode: 'raw' }
      : { eventName, aggregation: 'count', dateFrom: '-30d', dateGrouping: 'day' },
  );
}
