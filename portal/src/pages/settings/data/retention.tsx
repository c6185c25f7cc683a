import { useState } from 'react';
import { answerOf, api, client, type Schemas } from '../../../api/client.ts';
import { messageOf, statusOf } from '../../../api/errors.ts';
import { fieldMessages } from '../../../api/field-messages.ts';
import { invalidate, sessionQuery, useSession } from '../../../api/session.ts';
import { TimeZoneField } from '../../../question/fields/time-fields.tsx';
import { Button } from '../../../ui/button.tsx';
import { Form, SelectField, TextField, typing } from '../../../ui/field.tsx';
import { OtherMessages, useTask } from '../../../ui/refusal.tsx';
import { QueryState } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { announce } from '../../../ui/toast.tsx';
import { useAdministratorReason } from '../operator.ts';
import { TypedDialog } from './typed-dialog.tsx';
import { numberOf, SETTINGS } from './words.ts';

type Older = Schemas['OlderEvents'];

const CHOICES = [
  { value: 'ever', label: 'For ever' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'One year' },
  { value: '730', label: 'Two years' },
  { value: 'other', label: 'So many days' },
] as const;
type Choice = (typeof CHOICES)[number]['value'];

/** Also the count of older events names its field. */
const PATHS = ['retentionDays', 'days', 'timezone'];

export const useSettings = () => api.useQuery('get', SETTINGS);

/** For how long events are kept, and where days begin. */
export function Retention() {
  const query = useSettings();
  const { data } = query;
  if (!data) return <QueryState query={query} what="the settings" height={170} />;
  return <RetentionForm key={`${data.retentionDays} ${data.timezone}`} stored={data} />;
}

function choiceOf(days: number | null): Choice {
  if (days === null) return 'ever';
  return CHOICES.find(({ value }) => value === String(days))?.value ?? 'other';
}

function RetentionForm({ stored }: { stored: Schemas['Settings'] }) {
  const { tenant } = useSession();
  const reason = useAdministratorReason();
  const [choice, setChoice] = useState<Choice>(() => choiceOf(stored.retentionDays));
  const [days, setDays] = useState(String(stored.retentionDays ?? ''));
  const [timezone, setTimezone] = useState(stored.timezone);
  const [asked, setAsked] = useState<Older | null>(null);
  const { error, isBusy, run } = useTask();
  const messages = fieldMessages(error, PATHS);
  const retentionDays = choice === 'ever' ? null : Number(choice === 'other' ? days : choice);
  const isChanged = retentionDays !== stored.retentionDays || timezone !== stored.timezone;

  const save = async () => {
    const changes = {
      ...(retentionDays !== stored.retentionDays && { retentionDays }),
      ...(timezone !== stored.timezone && { timezone }),
    };
    await answerOf(client.PATCH(SETTINGS, { body: changes }));
    announce('The settings were saved');
    await Promise.all([
      invalidate((path) => path === SETTINGS),
      invalidate((path) => path === String(sessionQuery.queryKey[1])),
    ]);
  };
  /** Counted just before: events may have come since the page opened. */
  const begin = async () => {
    if (retentionDays !== null && retentionDays !== stored.retentionDays) {
      const older = await olderEvents(retentionDays);
      if (older.events > 0) return setAsked(older);
    }
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
        <legend className="visually-hidden">Retention and time zone</legend>
        <SelectField
          label="Keep events"
          help="Older events are removed every hour, by their own timestamps."
          error={choice === 'other' ? undefined : messages.at('retentionDays')}
          value={choice}
          options={CHOICES}
          onChoose={setChoice}
        />
        {choice === 'other' && (
          <TextField
            label="Days"
            type="number"
            min={1}
            max={36_500}
            inputMode="numeric"
            error={messages.at('retentionDays') ?? messages.at('days')}
            {...typing(days, setDays)}
          />
        )}
        <TimeZoneField value={timezone} error={messages.at('timezone')} onChange={setTimezone} />
      </fieldset>
      {reason !== undefined && <p className="muted">{reason}</p>}
      <OldestKept days={retentionDays} stored={stored.retentionDays} isShown={reason === undefined} />
      <div role="alert">
        {error !== null && statusOf(error) !== 400 && <p className="field-error">{messageOf(error)}</p>}
      </div>
      <OtherMessages messages={messages.others} />
      <div className="row">
        <Button type="submit" reason={reason ?? (isChanged ? undefined : 'Nothing is changed.')} disabled={isBusy}>
          Save
        </Button>
      </div>
      {asked && (
        <TypedDialog
          title={`Remove ${numberOf(asked.events)} events?`}
          description={`They are older than ${numberOf(asked.days)} days and are removed for good within the hour.`}
          name={tenant.name}
          act="Remove them"
          onAct={save}
          onClose={() => setAsked(null)}
        />
      )}
    </Form>
  );
}

function olderEvents(days: number): Promise<Older> {
  return answerOf(client.GET('/api/v1/portal/data/older-events', { params: { query: { days } } }));
}

/** Says before saving how many events would go. */
function OldestKept({ days, stored, isShown }: { days: number | null; stored: number | null; isShown: boolean }) {
  const isAsked = isShown && days !== null && days !== stored && Number.isInteger(days) && days >= 1 && days <= 36_500;
  const asked = { params: { query: { days: days ?? 1 } } };
  const { data } = api.useQuery('get', '/api/v1/portal/data/older-events', asked, { enabled: isAsked });
  if (!isAsked) return null;
  return (
    <p role="status">
      {data === undefined && 'Counting older events …'}
      {data?.events === 0 && 'No event is older: nothing would be removed now.'}
      {data && data.events > 0 && (
        <>
          <strong>{numberOf(data.events)} events</strong> are from before <Time iso={data.before} /> and would be
          removed for good.
        </>
      )}
    </p>
  );
}
