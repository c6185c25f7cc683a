import type { Schemas } from '../../api/schemas.ts';

export const ANNOTATIONS = '/api/v1/runtime/observability/annotations';

export type Annotation = Schemas['Annotation'];
export type AnnotationChange =
  | { kind: 'add' }
  | { kind: 'edit'; annotation: Annotation }
  | { kind: 'delete'; annotation: Annotation };

/** The value of a field for date and time, in the browser's time zone: 2026-03-01T09:30. */
export function localTime(date: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  const day = [date.getFullYear(), two(date.getMonth() + 1), two(date.getDate())].join('-');
  return `${day}T${two(date.getHours())}:${two(date.getMinutes())}`;
}

/** The time of such a field for the API; a text that is no time stays as it is: the server's message explains the error. */
export function isoOf(text: string): string {
  const date = new Date(text);
  return Number.isNaN(date.getTime()) ? text : date.toISOString();
}
