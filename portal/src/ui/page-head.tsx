import { type ReactNode, useEffect } from 'react';

/** The page's title, which takes the focus after a navigation, and what can be done at its side. */
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
