import { type ReactNode, useEffect } from 'react';
import { basePath } from '../api/client.ts';
import { setPageTitle } from '../ui/page-title.ts';

/** The frame of a page without the shell, for people who are not logged in or come from an application. */
export function Alone({ title, isWide = false, children }: { title: string; isWide?: boolean; children: ReactNode }) {
  useEffect(() => setPageTitle(title), [title]);
  return (
    <main className={isWide ? 'alone wide' : 'alone'}>
      <div className="panel padded stack">
        <Brand />
        {children}
      </div>
    </main>
  );
}

export function Brand() {
  return (
    <div className="brand">
      <img src={`${basePath}favicon.svg`} alt="" />
      Agent Runtime
    </div>
  );
}
