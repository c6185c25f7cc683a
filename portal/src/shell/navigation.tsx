import { Link, useRouterState, useSearch } from '@tanstack/react-router';
import { useEffect, useId, useRef, useState } from 'react';
import { basePath } from '../api/client.ts';
import { t } from '../language/index.ts';
import { Icon } from '../ui/icon.tsx';
import { store, stored } from '../ui/stored.ts';
import { PAGE_GROUPS, type PageGroup } from './pages.ts';

/** The links to all pages, in groups that the user folds. */
export function Navigation() {
  const nav = useRef<HTMLElement>(null);
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the current page's link comes into view when it changes
  useEffect(
    () => nav.current?.querySelector('[aria-current="page"]')?.scrollIntoView({ block: 'nearest' }),
    [pathname],
  );
  return (
    <nav ref={nav} className="navigation" aria-label={t('Main')}>
      {PAGE_GROUPS.map((group) => (
        <Group key={group.id} group={group} />
      ))}
      <ul aria-label={t('Help')}>
        <li>
          <Link to="/" search={{ 'first-hour': 'open' }} activeOptions={{ includeSearch: true }}>
            <Icon name="check" />
            {t('First hour')}
          </Link>
        </li>
        <li>
          <Link to="/help">
            <Icon name="help" />
            {t('Help')}
          </Link>
        </li>
        <li>
          <a href={`${basePath}docs`}>
            <Icon name="code" />
            {t('API reference')}
          </a>
        </li>
      </ul>
    </nav>
  );
}

function Group({ group: { id, label, pages, isFolded = false } }: { group: PageGroup }) {
  const listId = useId();
  // The checklist is on the page of the dashboards, and has a link of its own.
  const isFirstHour = useSearch({ strict: false })['first-hour'] !== undefined;
  const isHere = useRouterState({
    select: ({ location: { pathname } }) => pages.some(({ to }) => to !== '/' && isBelow(pathname, to)),
  });
  const [isOpen, setOpen] = useState(() => wasOpen(id) ?? !isFolded);
  const isShown = isOpen || (isFolded && wasOpen(id) === undefined && isHere);
  const toggle = () => {
    setOpen(!isShown);
    remember(id, !isShown);
  };
  return (
    <div className="navigation-group">
      <button type="button" aria-expanded={isShown} aria-controls={listId} onClick={toggle}>
        {label}
        <Icon name={isShown ? 'down' : 'right'} />
      </button>
      <ul id={listId} aria-label={label} hidden={!isShown}>
        {pages.map(({ to, label: name, icon, exact = false }) => (
          <li key={to}>
            <Link to={to} activeOptions={{ exact, includeSearch: isFirstHour }}>
              <Icon name={icon} />
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

function isBelow(pathname: string, page: string): boolean {
  return pathname === page || pathname.startsWith(`${page}/`);
}

/** Undefined while the user has neither folded nor unfolded the group. */
function wasOpen(id: string): boolean | undefined {
  const choice = stored('localStorage', `group ${id}`);
  return choice === undefined ? undefined : choice === 'open';
}

function remember(id: string, isOpen: boolean): void {
  store('localStorage', `group ${id}`, isOpen ? 'open' : 'folded');
}
