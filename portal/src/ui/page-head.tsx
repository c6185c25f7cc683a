import { createContext, type ReactNode, useContext, useLayoutEffect } from 'react';
import { setPageTitle } from './page-title.ts';

/** A link to the chapter that explains the page, which stands beside its title. */
export const PageHelp = createContext<ReactNode>(null);

/** The page's title, which gets the focus after a navigation, and the page's actions. */
export function PageHead({ title, children }: { title: string; children?: ReactNode }) {
  useLayoutEffect(() => setPageTitle(title), [title]);
  return (
    <div className="page-head">
      <h1 tabIndex={-1}>{title}</h1>
      {useContext(PageHelp)}
      {children}
    </div>
  );
}

interface SectionProps {
  /** The id of the heading. */
  id: string;
  title: ReactNode;
  /** By default it is a box. */
  className?: string;
  children: ReactNode;
}

/** A part of a page, which its heading names. */
export function Section({ id, title, className = 'panel padded stack', children }: SectionProps) {
  return (
    <section className={className} aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}
