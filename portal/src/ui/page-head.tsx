import { type ReactNode, useEffect, useRef } from 'react';

/** The page's title, which takes the focus on navigation, and what can be done at its side. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Agent Runtime`;
    // A dialog or a field that has the focus keeps it.
    if (document.activeElement === null || document.activeElement === document.body) heading.current?.focus();
  }, [title]);
  return (
    <div className="page-head">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      {children}
    </div>
  );
}
