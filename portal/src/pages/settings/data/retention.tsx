import { useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { messageOf, statusOf } from '../../../api/errors.ts';
import { fieldMessages } from '../../../api/field-messages.ts';
import { invalidate, sessionQuery, useSession } from '../../../api/session.ts';
import { changedOf } from '../../../editor/values.ts';
import { LOCALE, t } from '../../../language/index.ts';
import { TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/field.tsx';
import { OtherMessages, useTask } from '../../../ui/refusal.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { useAdministratorReason } from '../operator.ts';
import { type Change, OldestKept, removedBy } from './older.tsx';
import { daysIn, PeriodField, periodOf } from './period-field.tsx';
import { TypedDialog } from './typed-dialog.tsx';
import { SETTINGS } from './words.ts';

const PATHS = ['retentionDays', 'executionRetentionDays', 'timezone'];

export const useSettings = () => api.useQuery('get', SETTINGS);

/** For how long events and executions are kept, and where days begin. */
export function Retention() {
  const query = useSettings();
  const { data } = query;
  if (!data) return <QueryState query={query} height={170} />;
  return <RetentionForm key={JSON.stringify(data)} stored={data} />;
}

function RetentionForm({ stored }: { stored: Schemas['Settings'] }) {
  const { tenant } = useSession();
  const reason = useAdministratorReason();
  const [events, setEvents] = useState(() => periodOf(stored.retentionDays));
  const [executions, setExecutions] = useState(() => periodOf(stored.executionRetentionDays));
  const [timezone, setTimezone] = useState(stored.timezone);
  /** The items that a person is asked about before they are removed: "3 events and 1 execution". */
  const [asked, setAsked] = useState('');
  const { error, isBusy, run } = useTask();
  const messages = fieldMessages(error, PATHS);
  const wanted = { retentionDays: daysIn(events), executionRetentionDays: daysIn(executions), timezone };
  const body = changedOf(wanted, stored);
  const isChanged = Object.keys(body).length > 0;
  const changes: Change[] = [
    { noun: 'events', stored: stored.retentionDays, days: wanted.retentionDays },
    { noun: 'executions', stored: stored.executionRetentionDays, days: wanted.executionRetentionDays },
  ];

  const save = async () => {
    await answerOf(client.PATCH(SETTINGS, { body }));
    announce(t('The settings were saved'));
    await Promise.all([
      invalidate((path) => path === SETTINGS),
      invalidate((path) => path === String(sessionQuery.queryKey[1])),
    ]);
  };
  /** Counted just before: more may have come since the page opened. */
  const begin = async () => {
    const removed = (await Promise.all(changes.map(removedBy))).filter((older) => older !== null);
    if (removed.length > 0) return setAsked(new Intl.ListFormat(LOCALE).format(removed.map(({ words }) => words)));
    await save();
  };
  return (
    <Form
      aria-labelledby="retention"
      onSubmit={() => {
        if (reason === undefined && isChanged) void run(begin);
      }}
    >
      <fieldset className="fields" disabled={reason !== undefined}>
        <legend className="visually-hidden">{t('Retention and time zone')}</legend>
        <PeriodField
          label={t('Keep events')}
          daysLabel={t('Days of events')}
          help={t('Older events are removed every hour, by their own timestamps.')}
          value={events}
          error={messages.at('retentionDays')}
          onChange={setEvents}
        />
        <PeriodField
          label={t('Keep executions')}
          daysLabel={t('Days of executions')}
          help={t(
            'Older executions are removed every hour, by their start. Their reviews, assessments and events stay.',
          )}
          value={executions}
          error={messages.at('executionRetentionDays')}
          onChange={setExecutions}
        />
        <TimeZoneField value={timezone} error={messages.at('timezone')} onChange={setTimezone} />
      </fieldset>
      {reason !== undefined && <p className="muted">{reason}</p>}
      {reason === undefined && changes.map((change) => <OldestKept key={change.noun} {...change} />)}
      <div role="alert">
        {error !== null && statusOf(error) !== 400 && <p className="field-error">{messageOf(error)}</p>}
      </div>
      <OtherMessages messages={messages.others} />
      <div className="row">
        <Button type="submit" reason={reason ?? (isChanged ? undefined : t('Nothing is changed.'))} disabled={isBusy}>
          {t('Save')}
        </Button>
      </div>
      {asked !== '' && (
        <TypedDialog
          title={t('Remove {name}?', { name: asked })}
          description={t('They are older than you want to keep them, and are removed for good within the hour.')}
          name={tenant.name}
          act={t('Remove them')}
          onAct={save}
          onClose={() => setAsked('')}
        />
      )}
    </Form>
  );
}
