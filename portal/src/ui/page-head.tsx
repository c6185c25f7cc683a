import { type ReactNode, useLayoutEffect } from 'react';
import { setPageTitle } from './page-title.ts';

/** The page's title, which gets the focus after a navigation, and the page's actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useLayoutEffect(() => setPageTitle(title), [title]);
  return (
    <div className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
