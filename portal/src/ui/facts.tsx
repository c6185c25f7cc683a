import type { ReactNode } from 'react';

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
