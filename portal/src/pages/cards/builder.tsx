import { useNavigate } from '@tanstack/react-router';
import { type RefObject, useRef, useState } from 'react';
import type { Schemas } from '../../api/client.ts';
import { statusOf } from '../../api/errors.ts';
import { useAgentOfEvent } from '../../api/events.ts';
import { fieldMessages } from '../../api/field-messages.ts';
import { eventOf } from '../../api/metric-reference.ts';
import { useKnownMetric } from '../../api/metrics.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../language/index.ts';
import { useAgent } from '../../shell/remembered.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Field, TextField } from '../../ui/field.tsx';
import { LeaveGuard } from '../../ui/leave-guard.tsx';
import { PageHead } from '../../ui/page-head.tsx';
import { useFocusOnRefusal } from '../../ui/refusal.tsx';
import { announce } from '../../ui/toast.tsx';
import { configOf } from './config.ts';
import { Part, QuestionForm } from './form.tsx';
import { formOfJson, jsonOf } from './json.ts';
import { shownPaths } from './paths.ts';
import { existingTab, NEW_TAB, PlaceFields, useAgents, useTabs } from './place.tsx';
import { PreviewPanel, usePreview } from './preview.tsx';
import { asksMetric, type CardForm, withType } from './state.ts';
import { suggestedTitle } from './title.ts';
import { TypeChoice } from './types.tsx';
import { useSave } from './use-save.ts';

export interface BuilderStart {
  form: CardForm;
  /** Empty: the suggested title. */
  title: string;
  tabId: string;
  /** Undefined for the agent of the switcher. */
  agentId: string | undefined;
}

/** The form of a card with its preview. `card` is null for a new card. */
export function Builder({ start, card }: { start: BuilderStart; card: Schemas['Card'] | null }) {
  const { can } = useSession();
  const mayWrite = can('dashboards:write');
  const navigate = useNavigate();
  const [form, setForm] = useState(start.form);
  const [title, setTitle] = useState(start.title);
  const [place, setPlace] = useState({ tabId: start.tabId, newTab: '' });
  const [chosenAgent, setAgent] = useState(start.agentId);
  const asked = useEventOfCard(form);
  const ofEvent = useAgentOfEvent(useAgents(), asked);
  const switched = useAgent();
  // A new card for a tab belongs to the tab's agent.
  const ofTab = useTabs(switched)?.find(({ id }) => id === place.tabId)?.agentId;
  const agentId = chosenAgent ?? switched ?? ofTab ?? ofEvent;
  const tabs = useTabs(agentId);

  const saving = useSave(card?.id ?? null);
  const preview = usePreview(form, agentId);
  const objection = saving.error ?? preview.error;
  const isInvalid = statusOf(objection) === 400;
  const messages = fieldMessages(objection, shownPaths(form));

  const snapshot = JSON.stringify([form.cardType, configOf(form), title, place, chosenAgent]);
  const [saved] = useState(snapshot);
  const isDirty = useRef(false);
  isDirty.current = mayWrite && snapshot !== saved;

  const suggestion = suggestedTitle(form);
  const shownTitle = title.trim() || suggestion;
  const formElement = useRef<HTMLDivElement>(null);
  useFocusOnRefusal(formElement, saving.error);

  const change = (next: CardForm, nextTitle?: string) => {
    saving.forgetError();
    setForm(next);
    if (nextTitle !== undefined) setTitle(nextTitle);
  };

  const showDashboard = (tabId: string | null) => {
    isDirty.current = false;
    return navigate({ to: '/', search: (search) => ({ agent: search.agent, tab: tabId ?? 'none' }) });
  };
  const hasJsonFault = useRef(false);
  const save = async () => {
    if (hasJsonFault.current) {
      announce(t('The JSON is not a card. Correct it, or change the form, which replaces it.'));
      document.querySelector<HTMLElement>('.card-json [aria-invalid="true"]')?.focus();
      return;
    }
    const tabId = existingTab(place, tabs);
    const isNewTab = tabId === NEW_TAB;
    const result = await saving.save({
      agentId,
      title: shownTitle,
      cardType: form.cardType,
      config: configOf(form),
      tabId: isNewTab || tabId === '' ? null : tabId,
      newTab: isNewTab ? place.newTab : undefined,
    });
    if (result === null) return;
    await showDashboard(result.tabId);
    announce(card === null ? t('The card “{title}” was added', result) : t('The card “{title}” was saved', result));
  };

  return (
    <>
      <PageHead title={card === null ? t('New card') : card.title}>
        {card && mayWrite && (
          <>
            <DeleteCard
              title={card.title}
              saving={saving}
              onDeleted={async () => {
                await showDashboard(card.tabId);
                announce(t('The card “{title}” was deleted', { title: card.title }));
              }}
            />
            <Button icon="copy" onClick={() => navigate({ to: '/cards/new', search: { copy: card.id } })}>
              {t('Duplicate')}
            </Button>
          </>
        )}
        {mayWrite && (
          <Button look="primary" disabled={saving.isBusy} onClick={save}>
            {card === null ? t('Add card') : t('Save card')}
          </Button>
        )}
      </PageHead>
      {!mayWrite && (
        <p className="notice">
          {t('Your role lets you look at this card, not change it. An administrator can give you a role that may.')}
        </p>
      )}
      <TypeChoice
        value={form.cardType}
        disabled={!mayWrite}
        onChoose={(cardType) => change(withType(form, cardType))}
      />
      <div ref={formElement} className="builder">
        <fieldset className="stack" disabled={!mayWrite} aria-label={t('The card')}>
          <QuestionForm
            cardType={form.cardType}
            members={form.members}
            asked={asked}
            agent={agentId}
            messages={messages}
            onChange={(changes) => change({ ...form, members: { ...form.members, ...changes } })}
          />
          <Part title={t('Title and place')}>
            <TextField
              label={t('Title')}
              help={title.trim() === '' ? t('If empty, the card gets this title.') : undefined}
              placeholder={suggestion}
              maxLength={200}
              value={title}
              error={messages.at('title')}
              onChange={(event) => {
                saving.forgetError();
                setTitle(event.currentTarget.value);
              }}
            />
            <PlaceFields
              place={place}
              agentId={agentId}
              onAgent={card === null ? setAgent : null}
              error={messages.at('tabId')}
              onChange={(next) => {
                saving.forgetError();
                setPlace(next);
              }}
            />
          </Part>
        </fieldset>
        <div className="stack builder-side">
          <PreviewPanel
            preview={preview}
            cardType={form.cardType}
            title={shownTitle}
            messages={messages.others}
            fault={isInvalid ? null : objection}
          />
          <fieldset className="stack" disabled={!mayWrite} aria-label={t('JSON')}>
            <JsonPanel form={form} hasFault={hasJsonFault} onChange={change} />
          </fieldset>
        </div>
      </div>
      <LeaveGuard isDirty={() => isDirty.current} />
    </>
  );
}

/** The event whose properties suit filters and groups: of a metric, the first that it counts. */
function useEventOfCard({ cardType, members }: CardForm): string {
  const isMetric = asksMetric(cardType, members);
  const metric = useKnownMetric(isMetric ? members.metric : '');
  if (isMetric) return metric ? eventOf(metric) : '';
  return members.eventName || (members.steps[0]?.eventName ?? '');
}

interface DeleteCardProps {
  title: string;
  saving: ReturnType<typeof useSave>;
  onDeleted(): void;
}

function DeleteCard({ title, saving, onDeleted }: DeleteCardProps) {
  const [isOpen, setOpen] = useState(false);
  const remove = async () => {
    const isGone = await saving.remove();
    setOpen(false);
    if (isGone) onDeleted();
  };
  return (
    <>
      <Button look="danger" icon="trash" onClick={() => setOpen(true)}>
        {t('Delete')}
      </Button>
      <Dialog
        open={isOpen}
        onClose={() => setOpen(false)}
        title={t('Delete this card?')}
        description={t('“{title}” leaves the dashboard for everybody. Its events stay.', { title })}
      >
        <div className="dialog-foot">
          <Button onClick={() => setOpen(false)}>{t('Keep it')}</Button>
          <Button look="danger" disabled={saving.isBusy} onClick={remove}>
            {t('Delete card')}
          </Button>
        </div>
      </Dialog>
    </>
  );
}

interface Typed {
  text: string;
  fault?: string;
  /** The form as JSON, when the text was typed. */
  json: string;
}

interface JsonPanelProps {
  form: CardForm;
  /** Is set to true while the text is no card. */
  hasFault: RefObject<boolean>;
  onChange(form: CardForm, title?: string): void;
}

/** The card as JSON, to read, copy and change. The form follows the text whenever the text is a valid card. */
function JsonPanel({ form, hasFault, onChange }: JsonPanelProps) {
  const [typed, setTyped] = useState<Typed>();
  const json = jsonOf(form);
  // A change of the form replaces the text.
  const current = typed?.json === json ? typed : undefined;
  hasFault.current = current?.fault !== undefined;
  const change = (text: string) => {
    const read = formOfJson(text);
    if ('fault' in read) {
      setTyped({ text, fault: read.fault, json });
      return;
    }
    setTyped({ text, json: jsonOf(read.form) });
    onChange(read.form, read.title);
  };
  return (
    <details className="panel card-json">
      <summary>{t('JSON')}</summary>
      <Field
        label={t('The card as JSON')}
        help={t('As the API and MCP take it. A change here changes the form, too.')}
        error={current?.fault}
      >
        {(props) => (
          <textarea
            className="input"
            rows={14}
            spellCheck={false}
            value={current?.text ?? json}
            onChange={(event) => change(event.currentTarget.value)}
            {...props}
          />
        )}
      </Field>
    </details>
  );
}
