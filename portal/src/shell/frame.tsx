import { useRouterState } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { t } from '../language/index.ts';
import { IconButton } from '../ui/button.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { usePageTitle } from '../ui/page-title.ts';
import { useKeys } from '../ui/use-keys.ts';
import { useMedia } from '../ui/use-media.ts';
import { AgentSwitcher } from './agent-switcher.tsx';
import { Brand } from './alone.tsx';
import { Navigation } from './navigation.tsx';
import { PaletteButton, usePalette } from './palette-button.tsx';
import { useAgent } from './remembered.ts';
import { ThemeSwitch } from './theme-switch.tsx';
import { UserPanel } from './user-panel.tsx';

const PageKeys = lazyDialog(() => import('./page-keys.tsx'));

/** The navigation beside or above a page. It needs no answer of the server: it stands at once. */
export function Frame({ children }: { children: ReactNode }) {
  const [palette, openPalette] = usePalette();
  const [isHelpOpen, setHelpOpen] = useState(false);
  useKeys({ '?': () => setHelpOpen(true) }, window);
  const isNarrow = useMedia('(max-width: 800px)');
  return (
    <div className="shell">
      <a className="skip-link" href="#main">
        {t('Skip to content')}
      </a>
      {isNarrow ? (
        <Bar onSearch={openPalette} />
      ) : (
        <header className="sidebar">
          <Menu onSearch={openPalette} />
        </header>
      )}
      <main id="main" className="content" tabIndex={-1}>
        {children}
        <div id="popups" />
        {palette}
        {isHelpOpen && <PageKeys onClose={() => setHelpOpen(false)} />}
      </main>
    </div>
  );
}

function Menu({ onSearch }: { onSearch(): void }) {
  return (
    <>
      <Brand />
      <AgentSwitcher />
      <Navigation />
      <div className="sidebar-foot">
        <div className="row">
          <PaletteButton onOpen={onSearch} />
          <ThemeSwitch />
        </div>
        <UserPanel />
      </div>
    </>
  );
}

/** In narrow windows: one bar with the page's title, and the menu in a drawer. */
function Bar({ onSearch }: { onSearch(): void }) {
  const title = usePageTitle();
  const agent = useAgent();
  const drawer = useRef<HTMLDialogElement>(null);
  const place = useRouterState({ select: ({ location }) => location.href });
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes when the address changes
  useEffect(() => drawer.current?.close(), [place]);
  return (
    <header className="top-bar">
      <IconButton icon="bars" label={t('Menu')} aria-haspopup="dialog" onClick={() => drawer.current?.showModal()} />
      {/* The heading of the page says it to screen readers. */}
      <p className="bar-title" aria-hidden="true">
        <span>{title}</span>
        {agent !== undefined && <span className="muted small">{agent}</span>}
      </p>
      <IconButton icon="search" label={t('Search')} onClick={onSearch} />
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a modal dialog by itself */}
      <dialog
        ref={drawer}
        className="sidebar"
        aria-label={t('Menu')}
        onClick={({ target }) => {
          // Also a link to the page that is shown, which changes no address.
          if (target === drawer.current || (target as Element).closest('a')) drawer.current?.close();
        }}
      >
        <div className="row drawer-close">
          <IconButton icon="close" label={t('Close the menu')} onClick={() => drawer.current?.close()} />
        </div>
        <Menu
          onSearch={() => {
            drawer.current?.close();
            onSearch();
          }}
        />
      </dialog>
    </header>
  );
}
