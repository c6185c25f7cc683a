import { createLink } from '@tanstack/react-router';
import type { ComponentProps, ReactNode } from 'react';

/** The ways to look at the same thing, each at its own address. */
export function Views({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className="tab-row tabs" aria-label={label}>
      {children}
    </nav>
  );
}

/** One of the `Views`. */
export const ViewLink = createLink(({ children, ...rest }: ComponentProps<'a'>) => (
  <a {...rest} className="tab">
    {children}
  </a>
));
