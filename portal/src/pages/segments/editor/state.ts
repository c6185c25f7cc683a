import type { Schemas } from '../../../api/schemas.ts';
import { nameOfTitle, numberOf } from '../../../editor/values.ts';
import { type FilterRow, filterPaths, filtersOf, nextId, rowsOf } from '../../../question/filters/filters.ts';
import { membersOf, type Range, rangeOf } from '../../../question/state/range.ts';

type Segment = Schemas['Segment'];
type CreateSegment = Schemas['CreateSegment'];

export interface ConditionRow {
  /** React's key of the row. */
  id: number;
  eventName: string;
  filters: FilterRow[];
  /** A text, so that half a number can be typed; empty: 1. */
  atLeast: string;
  range: Range;
}

/** A segment as the form holds it. */
export interface SegmentForm {
  /** Empty for a new one: made of the title. */
  name: string;
  title: string;
  description: string;
  by: string;
  conditions: ConditionRow[];
}

export const MAX_CONDITIONS = 10;

export function newCondition(): ConditionRow {
  return { id: nextId(), eventName: '', filters: [], atLeast: '', range: rangeOf({}) };
}

export function emptyForm(): SegmentForm {
  return { name: '', title: '', description: '', by: '', conditions: [newCondition()] };
}

export function formOf({ name, title = '', description = '', by, conditions }: Segment): SegmentForm {
  return {
    name,
    title,
    description,
    by,
    conditions: conditions.map(({ eventName, filters, atLeast, dateFrom, dateTo }) => ({
      id: nextId(),
      eventName,
      filters: rowsOf(filters),
      atLeast: atLeast === undefined ? '' : String(atLeast),
      range: rangeOf({ dateFrom, dateTo }),
    })),
  };
}

/** The members of both requests. A change sends those that differ; null removes one. */
export function requestOf({ name, title, description, by, conditions }: SegmentForm) {
  return {
    name: name.trim() || nameOfTitle(title),
    title: title.trim() || null,
    description: description.trim() || null,
    by: by.trim(),
    conditions: conditions.map(conditionOf),
  };
}

/** The request for a new segment. */
export function creationOf(form: SegmentForm): CreateSegment {
  const { title, description, ...required } = requestOf(form);
  return { ...required, ...(title !== null && { title }), ...(description !== null && { description }) };
}

function conditionOf({ eventName, filters, atLeast, range }: ConditionRow): CreateSegment['conditions'][number] {
  const given = filtersOf(filters);
  return {
    eventName: eventName.trim(),
    ...(given && { filters: given }),
    ...(atLeast.trim() !== '' && { atLeast: numberOf(atLeast) }),
    ...membersOf(range),
  };
}

/** The path of a condition's fields in the request. */
export function conditionPath(index: number): string {
  return `conditions[${index}]`;
}

/** The paths of the fields in the request, to place the server's messages at them. */
export function shownPaths({ conditions }: SegmentForm): string[] {
  return [
    ...['name', 'title', 'description', 'by', 'conditions'],
    ...conditions.flatMap(({ filters }, index) => {
      const members = ['eventName', 'atLeast', 'dateFrom', 'dateTo', ...filterPaths('filters', filters)];
      return members.map((member) => `${conditionPath(index)}.${member}`);
    }),
  ];
}
