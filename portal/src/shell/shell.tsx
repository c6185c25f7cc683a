import { Outlet } from '@tanstack/react-router';
import { Suspense } from 'react';
import { basePath } from '../api/client.ts';
import { Loading } from '../ui/states.tsx';
import { AgentSwitcher } from './agent-switcher.tsx';
import { Navigation } from './navigation.tsx';
import { OfflineBanner } from './offline-banner.tsx';
import { PaletteShortcut } from './palette-shortcut.tsx';
import { StepUp } from './step-up.tsx';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserPanel } from './user-panel.tsx';

/** Stands while the session is read. */
export function PendingShell() {
  return (
    <div className="shell">
      <header className="sidebar">
        <Brand />
      </header>
      <main className="content">
        <Loading what="the page" height={320} />
      </main>
    </div>
  );
}

function Brand() {
  return (
    <div className="brand">
      <img src={`${basePath}favicon.svg`} alt="" />
      Agent Runtime
    </div>
  );
}

/** The sidebar and the frame of every page of a logged-in user. */
export function Shell() {
  return (
    <>
      <a className="skip-link" href="#main">
        Skip to content
      </a>
      <OfflineBanner />
      <div className="shell">
        <header className="sidebar">
          <Brand />
          <AgentSwitcher />
          <Navigation />
          <div className="sidebar-foot">
            <div className="row">
              <PaletteShortcut />
              <ThemeSwitch />
            </div>
            <UserPanel />
          </div>
        </header>
        <main id="main" className="content" tabIndex={-1}>
          <Suspense fallback={<Loading what="the page" height={320} />}>
            <Outlet />
          </Suspense>
          <StepUp />
          <div id="popups" />
        </main>
      </div>
    </>
  );
}
