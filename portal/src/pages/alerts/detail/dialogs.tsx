import { answerOf, client } from '../../../api/client.ts';
import type { Schemas } from '../../../api/schemas.ts';
import { t } from '../../../language/index.ts';
import { DeleteDialog, SendDialog } from '../../../sending/dialogs.tsx';
import type { SendingDialogProps } from '../../../sending/page.tsx';
import { Sent } from '../../../sending/shown.tsx';
import { whoGets } from '../../../sending/words.ts';
import { Facts } from '../../../ui/facts.tsx';
import { ALERTS, type Alert, invalidateAlerts } from '../alerts.ts';
import { StateBadge } from '../state-badge.tsx';
import { useFindingFacts } from './facts.tsx';

type AlertDialogProps = SendingDialogProps<Alert>;

export default function AlertDialog({ name, ...rest }: AlertDialogProps) {
  return name === 'send' ? <Test {...rest} /> : <Delete {...rest} />;
}

function Delete({ stored: { id, title }, onClose }: Omit<AlertDialogProps, 'name'>) {
  return (
    <DeleteDialog
      noun="alert"
      description={t(
        '“{title}” is not checked any more, and its history is lost. To keep the history, switch it off.',
        { title },
      )}
      onDelete={() => answerOf(client.DELETE(`${ALERTS}/{id}`, { params: { path: { id } } }))}
      invalidate={invalidateAlerts}
      onClose={onClose}
    />
  );
}

/** Checks now, and shows the result and who was sent it. */
function Test({ stored: alert, onClose }: Omit<AlertDialogProps, 'name'>) {
  const send = async () => {
    const { test } = await answerOf(client.POST(`${ALERTS}/{id}/test`, { params: { path: { id: alert.id } } }));
    await invalidateAlerts();
    return test;
  };
  return (
    <SendDialog
      title={t('Test this alert')}
      description={`${t('It is checked now.')} ${whoGets('alert', alert.targets)} ${t('Its state stays as it is.')}`}
      act={t('Test now')}
      onSend={send}
      onClose={onClose}
    >
      {(test) => <Tested alert={alert} test={test} />}
    </SendDialog>
  );
}

function Tested({ alert, test }: { alert: Alert; test: Schemas['AlertTest'] }) {
  const facts = useFindingFacts(alert, test);
  return (
    <>
      <Facts label={t('What the check found')} facts={{ [t('State')]: <StateBadge state={test.state} />, ...facts }} />
      <Sent deliveries={test.deliveries} />
    </>
  );
}
