import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { t } from '../../../language/index.ts';
import { forReaders } from '../../../shell/readers-page.tsx';
import { SelectField } from '../../../ui/field.tsx';
import { Item, ItemLink, ItemList } from '../../../ui/item-list.tsx';
import { ListPage } from '../../../ui/list-page.tsx';
import { EmptyState } from '../../../ui/states.tsx';
import { When } from '../../../ui/time.tsx';
import { useSetSearch } from '../../../ui/use-set-search.ts';
import { type Alert, alertsQuery } from '../alerts.ts';
import { AskedInWords, useValueFormatter } from '../asked.tsx';
import { StateBadges } from '../state-badge.tsx';
import { bucketInWords, bucketOf, conditionInWords, STATES, urgentFirst } from '../words.ts';

const route = getRouteApi('/shell/alerts');

const ANY = '';

/** All alerts: those that need somebody first. */
export const Alerts = forReaders(t('Alerts'), 'alerts', 'alerts:read', AlertList);

function AlertList() {
  const { state: wanted } = route.useSearch();
  const setSearch = useSetSearch();
  const state = STATES.find(({ value }) => value === wanted)?.value;
  const stateField = (
    <div className="search">
      <SelectField<string>
        label={t('State')}
        value={state ?? ANY}
        options={[{ value: ANY, label: t('Any') }, ...STATES]}
        onChoose={(next) => setSearch({ state: next || undefined })}
      />
    </div>
  );
  const noMatch = (
    <EmptyState title={t('No alert is in this state')}>
      <Link to="/alerts" search={{}}>
        {t('Show all alerts')}
      </Link>
    </EmptyState>
  );
  return (
    <ListPage
      title={t('Alerts')}
      noun="alert"
      query={useQuery(alertsQuery(state))}
      right="alerts:write"
      add="/alerts/new-alert"
      filter={{ isSet: state !== undefined, field: stateField, noMatch }}
      purpose={t(
        'An alert checks a number on a schedule, and notifies people by webhook, Slack or e-mail when it crosses a limit, moves too much, looks unusual or stays away.',
      )}
    >
      {({ alerts, total }) => (
        <>
          <ItemList label={t('Alerts, the urgent ones first')}>
            {urgentFirst(alerts).map((alert) => (
              <AlertItem key={alert.id} alert={alert} />
            ))}
          </ItemList>
          {total > alerts.length && (
            <p className="small muted">
              {t('The newest {count} of {total} alerts. Choose a state to see others.', {
                count: alerts.length,
                total,
              })}
            </p>
          )}
        </>
      )}
    </ListPage>
  );
}

function AlertItem({ alert }: { alert: Alert }) {
  const { id, title, condition, lastCheck, nextCheckAt, disabledReason } = alert;
  const formatted = useValueFormatter(alert);
  return (
    <Item
      title={
        <ItemLink to="/alerts/$id" params={{ id }}>
          {title}
        </ItemLink>
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
        <When text="Checked {time}" iso={lastCheck?.at} none={t('Not checked yet')} />
        <When lead=" · " text="next check {time}" iso={nextCheckAt} />
      </p>
    </Item>
  );
}
