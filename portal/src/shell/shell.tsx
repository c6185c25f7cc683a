import { Link, type LinkProps, Outlet, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState, useSyncExternalStore } from 'react';
import { api, basePath } from '../api/client.ts';
import { useSession } from '../api/session.ts';
import { Button, IconButton } from '../ui/button.tsx';
import { Icon, type IconName } from '../ui/icon.tsx';
import { lazyDialog } from '../ui/lazy-dialog.tsx';
import { Loading } from '../ui/states.tsx';
import { rememberAgent, useAgent } from './remembered.ts';
import { StepUp } from './step-up.tsx';
import { chooseTheme, type ThemeChoice, useTheme } from './theme.ts';
import { useLogout } from './use-logout.ts';

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

const NEXT: Record<ThemeChoice, ThemeChoice> = { system: 'light', light: 'dark', dark: 'system' };

export function ThemeSwitch() {
  const theme = useTheme();
  const label = `Theme: ${theme}. Change to ${NEXT[theme]}`;
  return <IconButton icon={theme === 'dark' ? 'moon' : 'sun'} label={label} onClick={() => chooseTheme(NEXT[theme])} />;
}

export function UserPanel() {
  const { user, tenant } = useSession();
  const logout = useLogout();
  return (
    <div className="row user-panel">
      <Link to="/account" className="user-link small">
        <span className="visually-hidden">Your account: </span>
        <span>{user.name}</span>
        <span className="muted">
          {user.role} · {tenant.name}
        </span>
      </Link>
      <IconButton icon="logout" label="Log out" disabled={logout.isPending} onClick={() => logout.mutate({})} />
    </div>
  );
}

function subscribe(listener: () => void): () => void {
  window.addEventListener('online', listener);
  window.addEventListener('offline', listener);
  return () => {
    window.removeEventListener('online', listener);
    window.removeEventListener('offline', listener);
  };
}

export function OfflineBanner() {
  const isOnline = useSyncExternalStore(subscribe, () => navigator.onLine);
  return (
    <div role="status">{!isOnline && <p className="banner">You are offline. What you see may be out of date.</p>}</div>
  );
}

/** The list shows no more; the address can name any agent. */
const MAX_AGENTS = 100;

export function AgentSwitcher() {
  const agent = useAgent();
  const navigate = useNavigate();
  const { data } = api.useQuery('get', '/api/v1/portal/agents', { params: { query: { limit: MAX_AGENTS } } });
  const names = data?.agents.map(({ name }) => name) ?? [];
  const shown = agent !== undefined && !names.includes(agent) ? [agent, ...names] : names;
  const choose = (value: string) => {
    const chosen = value === '' ? undefined : value;
    rememberAgent(chosen);
    void navigate({ to: '.', search: (search) => ({ ...search, agent: chosen, tab: undefined }) });
  };
  return (
    <div className="field">
      <label htmlFor="agent" className="small muted">
        Agent
      </label>
      <select id="agent" className="input" value={agent ?? ''} onChange={(event) => choose(event.currentTarget.value)}>
        <option value="">All agents</option>
        {shown.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}

const Palette = lazyDialog(() => import('./palette.tsx'));

/** Ctrl+K, or Cmd+K on a Mac, loads and opens the command palette. */
function PaletteShortcut() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      setOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return (
    <>
      <Button look="quiet" icon="search" onClick={() => setOpen(true)}>
        Search <kbd className="small muted">Ctrl K</kbd>
      </Button>
      {open && <Palette onClose={() => setOpen(false)} />}
    </>
  );
}

interface EntryProps {
  to: LinkProps['to'];
  label: string;
  /** The first page of a group has one. Narrow windows show the others of the open group alone. */
  icon?: IconName;
  /** True if the pages below it have entries of their own. */
  exact?: boolean;
}

function Entry({ to, label, icon, exact = false }: EntryProps) {
  return (
    <Link to={to} className={icon ? undefined : 'nested'} activeOptions={{ exact, includeSearch: false }}>
      {icon && <Icon name={icon} />}
      {label}
    </Link>
  );
}

function Navigation() {
  const { isAdministrator } = useSession();
  return (
    <nav className="navigation" aria-label="Main">
      <Entry to="/" icon="dashboard" label="Dashboards" exact />
      <div className="navigation-group">
        <Entry to="/metrics" icon="gauge" label="Metrics" />
        <Entry to="/explain" label="Explain" />
        <Entry to="/segments" label="Segments" />
        <Entry to="/terms" label="Glossary" />
        <Entry to="/annotations" label="Annotations" />
        <Entry to="/gaps" label="Gaps" />
      </div>
      <div className="navigation-group">
        <Entry to="/alerts" icon="bell" label="Alerts" />
        <Entry to="/digests" label="Digests" />
      </div>
      <div className="navigation-group">
        <Entry to="/events" icon="events" label="Events" exact />
        <Entry to="/events/query" label="Table" />
        <Entry to="/events/aggregate" label="KPI" />
      </div>
      <div className="navigation-group">
        <Entry to="/connect" icon="plug" label="Connect" />
        <Entry to="/applications" label="Applications" />
      </div>
      {isAdministrator && <Entry to="/single-sign-on" icon="key" label="Single sign-on" />}
      <a href={`${basePath}docs`}>
        <Icon name="code" />
        API reference
      </a>
    </nav>
  );
}
