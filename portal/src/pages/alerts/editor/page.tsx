import { useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { answerOf, client } from '../../../api/client.ts';
import { EditorForm, EditorPage, type EditorPartProps } from '../../../editor/editor-page.tsx';
import { ScheduleFields, TargetRows } from '../../../sending/fields.tsx';
import { useSavedSecrets } from '../../../sending/use-saved-secrets.tsx';
import { useAgent } from '../../../shell/remembered.ts';
import { bind } from '../../../ui/bind.ts';
import { SelectField, TextField } from '../../../ui/field.tsx';
import { ALERTS, type Alert, alertQuery, invalidateAlerts } from '../alerts.ts';
import { ConditionPart } from './condition-part.tsx';
import { type AlertForm, emptyForm, formOf, requestOf, shownPaths } from './state.ts';
import { SubjectPart } from './subject-part.tsx';

const UNITS = [
  { value: 'minutes', label: 'minutes' },
  { value: 'hours', label: 'hours' },
] as const;

/** `cardId` and `metric` of the address: what is checked. */
export function NewAlert() {
  const { cardId, metric } = useSearch({ from: '/shell/alerts/new-alert' });
  const agent = useAgent();
  return (
    <EditorPage noun="alert" right="alerts:write">
      {() => <Editor key={`${cardId} ${metric}`} start={emptyForm({ cardId, metric, agent })} alert={null} />}
    </EditorPage>
  );
}

export function EditAlert() {
  const { id } = useParams({ from: '/shell/alerts/$id/edit' });
  const query = useQuery({ ...alertQuery(id), refetchInterval: false });
  return (
    <EditorPage noun="alert" right="alerts:write" query={query}>
      {(stored) => stored && <Editor key={id} start={formOf(stored.alert)} alert={stored.alert} />}
    </EditorPage>
  );
}

/** `alert` is null for a new one. */
function Editor({ start, alert }: { start: AlertForm; alert: Alert | null }) {
  const { secrets, onSaved } = useSavedSecrets('alert', alert === null, invalidateAlerts);
  if (secrets) return secrets;
  const send = async (form: AlertForm, changed: object) => {
    if (alert === null) {
      const { alert: created, newSecrets } = await answerOf(client.POST(ALERTS, { body: requestOf(form) }));
      return { id: created.id, newSecrets };
    }
    const { id } = alert;
    // A member that is sent unchanged would reset the state.
    if (Object.keys(changed).length === 0) return { id, newSecrets: [] };
    const params = { path: { id } };
    const { newSecrets } = await answerOf(client.PATCH(`${ALERTS}/{id}`, { params, body: changed }));
    return { id, newSecrets };
  };
  return (
    <EditorForm
      noun="alert"
      title={alert?.title ?? null}
      start={start}
      requestOf={requestOf}
      pathsOf={shownPaths}
      send={send}
      onSaved={onSaved}
    >
      {(part) => (
        <>
          <section className="panel padded stack" aria-labelledby="subject">
            <h2 id="subject">What is checked</h2>
            <TextField
              label="Title"
              help="Messages begin with it."
              placeholder="Few orders"
              maxLength={200}
              {...bind(part).text('title')}
            />
            <SubjectPart {...part} />
          </section>
          <ConditionPart {...part} />
          <section className="panel padded stack" aria-labelledby="schedule">
            <h2 id="schedule">When it is checked</h2>
            <ScheduleFields {...part} />
          </section>
          <section className="panel padded stack" aria-labelledby="targets">
            <h2 id="targets">Targets</h2>
            <TargetRows none="No target yet: the state is shown in the portal alone." {...part} />
            <Cooldown {...part} />
          </section>
        </>
      )}
    </EditorForm>
  );
}

function Cooldown({ form: { cooldown }, messages, onChange }: EditorPartProps<AlertForm>) {
  return (
    <div className="fields">
      <TextField
        label="Cool-down"
        help="After a message about a problem, only its end is sent during this time."
        inputMode="decimal"
        value={cooldown.count}
        error={messages.at('cooldown')}
        onChange={(event) => onChange({ cooldown: { ...cooldown, count: event.currentTarget.value } })}
      />
      <SelectField
        label="Unit of the cool-down"
        value={cooldown.unit}
        options={UNITS}
        onChoose={(unit) => onChange({ cooldown: { ...cooldown, unit } })}
      />
    </div>
  );
}
