import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { useSession } from '../../../api/session.ts';
import { ButtonLink } from '../../../ui/button.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Item, ItemList } from '../../../ui/item-list.tsx';
import { PageHead } from '../../../ui/page-head.tsx';
import { EmptyState, QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { type Alert, alertsQuery } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { StateBadges } from '../state-badge.tsx';
import { bucketInWords, bucketOf, conditionInWords, STATES, urgentFirst } from '../words.ts';

const route = getRouteApi('/shell/alerts');

const ANY = '';

/** All alerts: those that need somebody first. */
export function Alerts() {
  const { state: wanted } = route.useSearch();
  const setSearch = useSetSearch();
  const { can } = useSession();
  const mayWrite = can('alerts:write');
  const state = STATES.find(({ value }) => value === wanted)?.value;
  const query = useQuery(alertsQuery(state));
  const { data } = query;
  return (
    <>
      <PageHead title="Alerts">
        {mayWrite && (
          <ButtonLink look="primary" icon="add" to="/alerts/new-alert">
            New alert
          </ButtonLink>
        )}
      </PageHead>
      <div className="stack">
        {(state !== undefined || data?.total !== 0) && (
          <div className="search">
            <SelectField<string>
              label="State"
              value={state ?? ANY}
              options={[{ value: ANY, label: 'Any' }, ...STATES]}
              onChoose={(next) => setSearch({ state: next || undefined })}
            />
          </div>
        )}
        <QueryState query={query} what="alerts" height={320} />
        {data && data.alerts.length > 0 && (
          <ItemList label="Alerts, the urgent ones first">
            {urgentFirst(data.alerts).map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ItemList>
        )}
        {data && data.total > data.alerts.length && (
          <p className="small muted">
            The newest {data.alerts.length.toLocaleString()} of {data.total.toLocaleString()} alerts. Choose a state to
            see others.
          </p>
        )}
        {data?.total === 0 && <NoAlerts isSearch={state !== undefined} mayWrite={mayWrite} />}
      </div>
    </>
  );
}

function NoAlerts({ isSearch, mayWrite }: { isSearch: boolean; mayWrite: boolean }) {
  return (
    <div className="panel">
      {isSearch ? (
        <EmptyState title="No alert is in this state">
          <Link to="/alerts" search={{}}>
            Show all alerts
          </Link>
        </EmptyState>
      ) : (
        <EmptyState title="No alerts yet">
          <p>
            An alert checks a number on a schedule, and notifies people by webhook, Slack or e-mail when it crosses a
            limit, moves too much, looks unusual or stays away.
          </p>
          {mayWrite ? (
            <Link to="/alerts/new-alert">Create the first one</Link>
          ) : (
            <p>Your role may look at alerts, not create them.</p>
          )}
        </EmptyState>
      )}
    </div>
  );
}

export function AlertItem({ alert }: { alert: Alert }) {
  const { id, title, condition, lastCheck, nextCheckAt, disabledReason } = alert;
  const formatted = useValueFormatter(alert);
  return (
    <Item
      title={
        <Link className="item-link" to="/alerts/$id" params={{ id }} preload={false}>
          {title}
        </Link>
      }
      beside={<StateBadges alert={alert} />}
      end={
        lastCheck !== null &&
        lastCheck.bucket !== null && (
          <p className="item-value">
            <strong>{formatted(lastCheck.value)}</strong>
            <span className="small muted">{bucketInWords(lastCheck.bucket, bucketOf(alert))}</span>
          </p>
        )
      }
    >
      <p>
        <AskedInWords alert={alert} isLinked={false} /> · {conditionInWords(condition, formatted)}
      </p>
      {disabledReason !== undefined && <p>{disabledReason}</p>}
      {lastCheck?.error != null && <p className="bad-text">{lastCheck.error}</p>}
      <p className="small muted">
        {lastCheck === null ? 'Not checked yet' : 'Checked '}
        {lastCheck !== null && <Time iso={lastCheck.at} />}
        {nextCheckAt !== null && (
          <>
            {' · next check '}
            <Time iso={nextCheckAt} />
          </>
        )}
      </p>
    </Item>
  );
}
