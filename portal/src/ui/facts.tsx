import type { ReactNode } from 'react';
import { t } from '../language/index.ts';
import { Time } from './time.tsx';

/** Facts by their terms. One without a value is left out. */
export type FactsByTerm = Record<string, ReactNode>;

/** Terms and their values, one row each. */
export function Facts({ label, facts }: { label: string; facts: FactsByTerm }) {
  const given = Object.entries(facts).filter(([, fact]) => fact !== undefined && fact !== null && fact !== false);
  return (
    <dl className="facts" aria-label={label}>
      {given.map(([term, fact]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The value of an error; none without one. */
export function errorFact(error: string | null | undefined): ReactNode {
  return error != null && <span className="bad-text">{error}</span>;
}

export function createdFact({ createdBy, createdAt }: { createdBy: string; createdAt: string }): ReactNode {
  return t.nodes('by {user} on {time}', { user: createdBy, time: <Time iso={createdAt} /> });
}
