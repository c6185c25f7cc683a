import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { client } from '../../../api/client.ts';
import { SendingPage } from '../../../sending/page.tsx';
import { lazyDialog } from '../../../ui/lazy-dialog.tsx';
import { ALERTS, alertQuery, invalidateAlerts } from '../alerts.ts';
import { StateBadges } from '../state-badge.tsx';
import { Definition, LastCheck } from './facts.tsx';
import { History } from './history.tsx';
import { Values } from './values.tsx';

const AlertDialog = lazyDialog(() => import('./dialogs.tsx'));

const route = getRouteApi('/shell/alerts/$id');

/** An alert: its definition, its state, its values and its history. */
export function AlertPage() {
  const query = useQuery(alertQuery(route.useParams().id));
  return (
    <SendingPage
      noun="alert"
      query={query}
      stored={query.data?.alert}
      sendLabel="Test"
      onSwitch={(id, enabled) => client.PATCH(`${ALERTS}/{id}`, { params: { path: { id } }, body: { enabled } })}
      invalidate={invalidateAlerts}
      Dialog={AlertDialog}
    >
      {(alert) => (
        <>
          <div className="row">
            <StateBadges alert={alert} />
            {!alert.enabled && (
              <span className="muted">{alert.disabledReason ?? 'It is not checked until it is switched on.'}</span>
            )}
          </div>
          <div className="halves">
            <Definition alert={alert} />
            <LastCheck alert={alert} />
          </div>
          <Values alert={alert} />
          <History alert={alert} />
        </>
      )}
    </SendingPage>
  );
}
