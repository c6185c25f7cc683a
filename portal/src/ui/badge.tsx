import type { ReactNode } from 'react';

/** A short word on a state. Its colour only repeats what the word says. */
export function Badge({ tone, children }: { tone?: 'good' | 'warning' | 'bad' | 'muted'; children: ReactNode }) {
  return <span className={tone ? `badge ${tone}` : 'badge'}>{children}</span>;
}
