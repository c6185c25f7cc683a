import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useState } from 'react';
import { cardsQuery, changesQuery, tabsQuery } from '../../api/dashboards.ts';
import { roleLabel } from '../../api/roles.ts';
import { useSession } from '../../api/session.ts';
import { LOCALE, t } from '../../language/index.ts';
import { lastTab, rememberTab, useAgent } from '../../shell/remembered.ts';
import { Button, ButtonLink, IconButton } from '../../ui/button.tsx';
import { DateField } from '../../ui/date-field.tsx';
import { SelectField } from '../../ui/field.tsx';
import { lazyDialog } from '../../ui/lazy-dialog.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { EmptyState, ErrorNotice } from '../../ui/states.tsx';
import { announce } from '../../ui/toast.tsx';
import { useSetSearch } from '../../ui/use-set-search.ts';
import { FirstHour } from '../first-hour/first-hour.tsx';
import { useChanges } from './changes.ts';
import { Grid, GridSkeleton } from './grid.tsx';
import { choiceOf, dateIn, pageRangeOf, RANGE_CHOICES, searchOf, withEnd } from './page-range.ts';
import { useRefresh } from './render.ts';
import { agentMarks, NO_TAB, shownTabs } from './state.ts';
import { TabBar } from './tab-bar.tsx';

const AgentChanges = lazyDialog(() => import('./agent-changes.tsx'));

/** As many as there are at most. */
const MAX_MARKS = 1_000;

export function Dashboards() {
  const search = useSearch({ from: '/shell/' });
  const agent = useAgent();
  const navigate = useNavigate();
  const { can, user } = useSession();
  const cards = useQuery(cardsQuery(agent));
  const tabs = useQuery(tabsQuery(agent));
  const changes = useQuery(changesQuery({ agentId: agent, state: 'current', limit: MAX_MARKS }));
  const marks = useMemo(() => agentMarks(changes.data?.changes ?? []), [changes.data]);
  const [showsChanges, setShowsChanges] = useState(false);
  const { refetch } = useChanges();
  const { isFull, toggle } = useFullScreen();
  const isAllowed = can('dashboards:write');
  // Full screen is for displays on a wall.
  const mayChange = isAllowed && !isFull;

  const { from, to } = search;
  const range = useMemo(() => pageRangeOf({ from, to }, Intl.DateTimeFormat().resolvedOptions().timeZone), [from, to]);
  // Without the tabs, all cards would count as cards without a tab, and be requested.
  const shown = useMemo(
    () => (tabs.data && cards.data ? shownTabs(tabs.data.tabs, cards.data.cards) : []),
    [tabs.data, cards.data],
  );
  const wanted = search.tab ?? lastTab();
  const chosen = shown.find(({ id }) => id === wanted) ?? shown[0];
  const chosenId = chosen?.id;
  useEffect(() => {
    if (chosenId !== undefined) rememberTab(chosenId);
  }, [chosenId]);
  const { updatedAt, isFetching, refresh } = useRefresh(chosen?.cards.map(({ id }) => id) ?? [], range);
  const error = cards.error ?? tabs.error;
  const isLoading = cards.isPending || tabs.isPending;
  const isEmpty = chosen ? chosen.cards.length === 0 : !isLoading;
  const tabOfNew = chosen?.id === NO_TAB ? undefined : chosen?.id;

  const refreshAll = async () => {
    if (isFetching) return;
    const [isComplete] = await Promise.all([refresh(), refetch()]);
    announce(isComplete ? t('Refreshed') : t('Some cards were not refreshed'));
  };

  return (
    <>
      <PageHead title={t('Dashboards')}>
        {!isEmpty && <UpdatedAt time={updatedAt} isLoading={isLoading || isFetching} />}
        <IconButton icon="refresh" label={t('Refresh')} aria-disabled={isFetching} onClick={() => void refreshAll()} />
        <IconButton icon="chip" label={t('Changes by agents')} onClick={() => setShowsChanges(true)} />
        <PageRangeField />
        <Button icon="full" onClick={() => void toggle()}>
          {isFull ? t('Leave full screen') : t('Full screen')}
        </Button>
        {mayChange && (
          <ButtonLink look="primary" icon="add" to="/cards/new" search={{ tab: tabOfNew }}>
            {t('New card')}
          </ButtonLink>
        )}
      </PageHead>
      <FirstHour isEmpty={cards.data?.total === 0} skeleton={<GridSkeleton />}>
        {error && <ErrorNotice error={error} onRetry={() => void Promise.all([cards.refetch(), tabs.refetch()])} />}
        {isLoading && !error && <GridSkeleton />}
        {!isLoading && search.tab !== undefined && search.tab !== NO_TAB && chosen?.id !== search.tab && (
          <p className="notice">{t('The tab in this address does not exist, or belongs to another agent.')}</p>
        )}
        {cards.data && tabs.data && (
          <TabBar
            shown={shown}
            chosen={chosen}
            tabs={tabs.data.tabs}
            agent={agent}
            mayChange={mayChange}
            onChoose={(tab) => navigate({ to: '.', search: (before) => ({ ...before, tab }) })}
          >
            {chosen && chosen.cards.length > 0 ? (
              <Grid
                key={chosen.id}
                cards={chosen.cards}
                tabs={tabs.data.tabs}
                range={range}
                agent={agent}
                mayChange={mayChange}
                marks={marks}
                onMark={() => setShowsChanges(true)}
              />
            ) : (
              <NoCards hasOthers={cards.data.total > 0} tab={tabOfNew} mayChange={mayChange} />
            )}
            {!isAllowed && (
              <p className="muted small dashboards-role">
                {t('Your role, {role}, can view dashboards but not change them.', { role: roleLabel(user.role) })}
              </p>
            )}
          </TabBar>
        )}
      </FirstHour>
      {showsChanges && <AgentChanges agent={agent} onClose={() => setShowsChanges(false)} />}
    </>
  );
}

const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium' });

function UpdatedAt({ time, isLoading }: { time: number | null; isLoading: boolean }) {
  if (time === null) return <span className="muted small updated">{isLoading && t('Loading …')}</span>;
  const date = new Date(time);
  return (
    <span className="muted small updated">
      {t.nodes('Updated {time}', { time: <time dateTime={date.toISOString()}>{CLOCK.format(date)}</time> })}
    </span>
  );
}

interface NoCardsProps {
  /** True if other tabs have cards. */
  hasOthers: boolean;
  tab: string | undefined;
  mayChange: boolean;
}

function NoCards({ hasOthers, tab, mayChange }: NoCardsProps) {
  return (
    <EmptyState title={hasOthers ? t('This tab is empty') : t('Create your first card')}>
      <p>{t('A card answers one question about events: a number, a rate, a chart or a table.')}</p>
      <div className="row">
        {mayChange && (
          <ButtonLink look="primary" to="/cards/new" search={{ tab }}>
            {t('New card')}
          </ButtonLink>
        )}
        <ButtonLink to="/explore" search={{ view: 'feed' }}>
          {t('See the events')}
        </ButtonLink>
      </div>
    </EmptyState>
  );
}

/** Hides the sidebar, for a display on a wall. The state is in the address, so that a link opens such a page. */
function useFullScreen() {
  const isFull = useSearch({ from: '/shell/' }).full !== undefined;
  const setSearch = useSetSearch();
  const set = (full: '1' | undefined) => setSearch({ full });

  useEffect(() => {
    if (!isFull) return undefined;
    const root = document.documentElement;
    root.dataset.full = '';
    // Escape leaves the browser's full screen without a key event.
    const onChange = () => {
      if (document.fullscreenElement === null) set(undefined);
    };
    document.addEventListener('fullscreenchange', onChange);
    return () => {
      delete root.dataset.full;
      document.removeEventListener('fullscreenchange', onChange);
    };
  });

  const toggle = async () => {
    set(isFull ? undefined : '1');
    // If the browser refuses, the page fills its window.
    if (!isFull) await document.documentElement.requestFullscreen?.().catch(() => undefined);
    else if (document.fullscreenElement) await document.exitFullscreen();
  };
  return { isFull, toggle };
}

/** A range for all cards; the address contains it. */
function PageRangeField() {
  const search = useSearch({ from: '/shell/' });
  const choose = useSetSearch();
  const choice = choiceOf(search);
  const dateField = (end: 'from' | 'to', label: string) => (
    <DateField
      label={label}
      value={dateIn(search[end])}
      onChoose={(date) => {
        if (date !== '') choose(withEnd(search, end, date));
      }}
    />
  );
  return (
    <div className="range-field">
      <SelectField
        label={t('Range')}
        value={choice}
        options={RANGE_CHOICES}
        onChoose={(next) => choose(searchOf(next, new Date()))}
      />
      {choice === 'custom' && (
        <>
          {dateField('from', t('From'))}
          {dateField('to', t('To'))}
        </>
      )}
    </div>
  );
}
