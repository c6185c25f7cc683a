import { formatUtc } from '../../../base/time/time.ts';

/** An answer with what explains it, one sentence each. */
export type Noted<Answer> = Omit<Answer, 'note'> & { notes: string[] };

/** For MCP: the sentences in one text. */
export function withNote<Answer extends { notes: string[] }>({ notes, ...answer }: Answer) {
  return notes.length > 0 ? { ...answer, note: notes.join(' ') } : answer;
}

/** For REST: left out when there are none. */
export function withNotes<Answer extends { notes: string[] }>({ notes, ...answer }: Answer) {
  return notes.length > 0 ? { ...answer, notes } : answer;
}

/**
 * What accepted events an answer does not count, in one sentence; `since` in epoch milliseconds.
 */
export function lateNote(since: number): string {
  return `Events that were accepted since ${formatUtc(since)} are stored, but not counted yet: the server is behind, or its disk fails. Ask again later.`;
}

/** Notes that begin with what is late. */
export function withLate<Answer extends { notes: string[] }>(answer: Answer, late: { since: number | null }): Answer {
  return late.since === null ? answer : { ...answer, notes: [lateNote(late.since), ...answer.notes] };
}

/** That the largest page is not the last. */
export function cappedNotes(
  rows: number,
  maximum: number,
  { total, offset }: { total: number; offset: number },
): string[] {
  const next = offset + rows;
  if (rows < maximum || next >= total) return [];
  return [
    `At most ${maximum} rows come at once: rows ${offset + 1} to ${next} of ${total}; go on with offset ${next}.`,
  ];
}
