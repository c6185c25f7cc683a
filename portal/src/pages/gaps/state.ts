/** A question that an agent could not answer. */
export interface Gap {
  question: string;
  /** The data that would have answered it, as the agent says; empty if it does not. */
  missing: string;
  agentId: string;
  at: string;
}

export interface GapGroup {
  /** The newest of the reports. */
  newest: Gap;
  count: number;
  agents: string[];
  /** The data that the reports call missing, each text once. */
  missing: string[];
}

/** A row of `events/query`; null if it holds no question. */
export function gapOf(row: Record<string, unknown>): Gap | null {
  const text = (key: string) => (typeof row[key] === 'string' ? row[key] : '');
  const question = text('question');
  if (question === '') return null;
  return { question, missing: text('missing'), agentId: text('agentId'), at: text('timestamp') };
}

/** Reports whose questions have the same words, whatever their order, case and punctuation; the most frequent first. */
export function groupsOf(gaps: readonly Gap[]): GapGroup[] {
  const groups = [...Map.groupBy(gaps, ({ question }) => wordsOf(question)).values()].map((alike) => {
    const sorted = alike.toSorted((one, other) => other.at.localeCompare(one.at));
    return {
      newest: sorted[0]!,
      count: alike.length,
      agents: [...new Set(sorted.map(({ agentId }) => agentId))],
      missing: [...new Set(sorted.map(({ missing }) => missing).filter(Boolean))],
    };
  });
  return groups.sort((one, other) => other.count - one.count || other.newest.at.localeCompare(one.newest.at));
}

function wordsOf(question: string): string {
  const words = question
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [question];
  return [...new Set(words)].sort().join(' ');
}
