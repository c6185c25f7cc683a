import { type ReactNode, useEffect } from 'react';

/** The page's title, which gets the focus after a navigation, and the page's actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Agent Runtime`;
  }, [title]);
  return (
    <div className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {children}
    </div>
  );
}
