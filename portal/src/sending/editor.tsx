import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { EditorForm, type EditorFormProps } from '../editor/editor-page.tsx';
import { t } from '../language/index.ts';
import type { Bound } from '../ui/bind.ts';
import { ButtonLink } from '../ui/button.tsx';
import { CodeBlock } from '../ui/copy-button.tsx';
import { PageHead, Section } from '../ui/page-head.tsx';
import { announce } from '../ui/toast.tsx';
import { ScheduleFields, TargetRows } from './fields.tsx';
import type { SendingForm } from './state.ts';
import { SENDING_TEXTS, type SendingNoun } from './words.ts';

interface Saved {
  id: string;
  newSecrets: readonly { url: string; secret: string }[];
}

interface SendingEditorProps<Form extends SendingForm, Request>
  extends Pick<EditorFormProps<Form, Request, Saved>, 'start' | 'requestOf' | 'pathsOf' | 'children'> {
  noun: SendingNoun;
  /** Null for a new one. */
  stored: { id: string; title: string } | null;
  create(body: Request): Promise<Pick<Saved, 'newSecrets'> & { [noun in SendingNoun]?: { id: string } }>;
  change(id: string, body: object): Promise<Pick<Saved, 'newSecrets'>>;
  invalidate(): Promise<void>;
  /** The heading of the schedule. */
  scheduled: string;
  /** The meaning of an empty list of targets. */
  noTargets: string;
  /** Fields after the targets. */
  afterTargets?(part: Bound<Form>): ReactNode;
}

/** The form of an alert or a digest. Once saved, it leads to its page, or first, in its place, to its new secrets. */
export function SendingEditor<Form extends SendingForm, Request extends object>(
  props: SendingEditorProps<Form, Request>,
) {
  const { noun, stored, create, change, invalidate, scheduled, noTargets, afterTargets, children, ...form } = props;
  const navigate = useNavigate();
  const [saved, setSaved] = useState<Saved | null>(null);
  const send = async (filled: Form, changed: object): Promise<Saved> => {
    if (stored === null) {
      const { [noun]: created, newSecrets } = await create(form.requestOf(filled));
      return { id: created!.id, newSecrets };
    }
    const { id } = stored;
    // A member that is sent unchanged would reset the state of an alert.
    if (Object.keys(changed).length === 0) return { id, newSecrets: [] };
    return { id, newSecrets: (await change(id, changed)).newSecrets };
  };
  const onSaved = async (result: Saved) => {
    announce(stored === null ? SENDING_TEXTS[noun].created : SENDING_TEXTS[noun].saved);
    if (result.newSecrets.length > 0) setSaved(result);
    else await navigate(pageOf(noun, result));
    await invalidate();
  };
  if (saved) return <NewSecrets noun={noun} saved={saved} />;
  return (
    <EditorForm noun={noun} title={stored?.title ?? null} {...form} send={send} onSaved={onSaved}>
      {(part) => (
        <>
          {children(part)}
          <Section id="schedule" title={scheduled}>
            <ScheduleFields {...part} />
          </Section>
          <Section id="targets" title={t('Targets')}>
            <TargetRows none={noTargets} {...part} />
            {afterTargets?.(part)}
          </Section>
        </>
      )}
    </EditorForm>
  );
}

function pageOf(noun: SendingNoun, { id }: Saved) {
  return { to: `/${noun}s/$id`, params: { id } } as const;
}

/** The signing secrets that saving made, in place of the form: nothing closes it by accident. */
function NewSecrets({ noun, saved }: { noun: SendingNoun; saved: Saved }) {
  // The button that had the focus is gone.
  useEffect(() => document.querySelector<HTMLElement>('main h1')?.focus(), []);
  return (
    <div className="narrow">
      <PageHead title={t('Copy the new secrets')} />
      <section className="panel padded stack" aria-label={t('New secrets')}>
        <p>
          {t(
            'It is saved. Each webhook signs its requests with a secret, by which the receiver knows that they come from here.',
          )}{' '}
          <strong>{t('The secrets are shown only now.')}</strong>
        </p>
        {saved.newSecrets.map(({ url, secret }) => (
          <div key={secret} className="stack tight">
            <p className="breaking">{url}</p>
            <CodeBlock text={secret} label={t('Secret of {url}', { url })} />
          </div>
        ))}
        <div className="row">
          <ButtonLink look="primary" {...pageOf(noun, saved)}>
            {t('I have copied them')}
          </ButtonLink>
        </div>
      </section>
    </div>
  );
}
