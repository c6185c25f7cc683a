import type { ReactNode } from 'react';
import { Time } from './time.tsx';

export type Fact = readonly [term: string, fact: ReactNode];

/** Terms and their values, one row each. */
export function Facts({ label, facts }: { label: string; facts: readonly Fact[] }) {
  return (
    <dl className="facts" aria-label={label}>
      {facts.map(([term, fact]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{fact}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The row of an error; none without one. */
export function errorFacts(error: string | null | undefined): Fact[] {
  if (error == null) return [];
  return [
    [
      'Error',
      <span key="error" className="bad-text">
        {error}
      </span>,
    ],
  ];
}

export function createdFact({ createdBy, createdAt }: { createdBy: string; createdAt: string }): Fact {
  return [
    'Created',
    <>
      by {createdBy} on <Time iso={createdAt} />
    </>,
  ];
}
