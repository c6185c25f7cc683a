import { useEffect, useState } from 'react';
import type { Versioned } from '../../../api/versions.ts';
import { BothVersions, useConcurrentEdit } from '../../../editor/concurrent-edit.tsx';
import { bind } from '../../../ui/bind.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ErrorNotice, Loading } from '../../../ui/states.tsx';
import { announce } from '../../../ui/toast.tsx';
import { quotasChanged, readLimits, sendLimits } from './quotas.ts';
import { changesOf, type Form, formOf, type Limits, mergedWith, type Owner, quotasOf, WORDS } from './state.ts';

interface LimitsDialogProps {
  owner: Owner;
  onClose(): void;
}

const titleOf = (owner: Owner) => (owner.kind === 'tenant' ? 'Limits of the tenant' : `Limits of ${owner.label}`);

/** Edits what is stored now, which the page may have read a while ago. */
export default function LimitsDialog({ owner, onClose }: LimitsDialogProps) {
  const [stored, setStored] = useState<Versioned<Limits> | null>(null);
  const [error, setError] = useState<unknown>(null);
  useEffect(() => {
    readLimits(owner).then(setStored, setError);
  }, [owner]);
  if (stored) return <LimitsForm owner={owner} stored={stored} onClose={onClose} />;
  return (
    <Dialog open title={titleOf(owner)} onClose={onClose}>
      {error === null ? <Loading what="the limits" height={320} /> : <ErrorNotice error={error} />}
    </Dialog>
  );
}

function LimitsForm({ owner, stored, onClose }: LimitsDialogProps & { stored: Versioned<Limits> }) {
  const [start, setStart] = useState(() => formOf(stored.data));
  const [form, setForm] = useState(start);
  const { send, theirs, forget } = useConcurrentEdit(stored, () => readLimits(owner));
  const current = theirs && formOf(theirs);
  const mine = current ? mergedWith(form, start, current) : form;
  const names = quotasOf(owner);
  const save = async () => {
    const body = changesOf(mine, current ?? start, owner);
    if (Object.keys(body).length > 0) await send((etag) => sendLimits(owner, body, etag));
    await quotasChanged();
    announce('The limits are saved');
  };
  const takeTheirs = () => {
    if (!current) return;
    setStart(current);
    setForm(current);
    forget();
  };
  return (
    <FormDialog
      title={titleOf(owner)}
      description="An empty field is no limit, and 0 allows nothing. Changes apply within a second."
      act="Save"
      paths={names}
      onSubmit={save}
      onClose={onClose}
      conflict={
        current && (
          <BothVersions
            noun="quota"
            members={names.map((name) => ({ label: labelOf(name), mine: mine[name], theirs: current[name] }))}
            onTakeTheirs={takeTheirs}
          />
        )
      }
    >
      {(messages) => {
        const onChange = (members: Partial<Form>) => {
          if (current) setStart(current);
          setForm({ ...mine, ...members });
        };
        const field = bind({ form: mine, messages, onChange });
        return (
          <div className="fields">
            {names.map((name) => (
              <TextField
                key={name}
                label={labelOf(name)}
                help={WORDS[name].help}
                inputMode="decimal"
                autoComplete="off"
                {...field.text(name)}
              />
            ))}
          </div>
        );
      }}
    </FormDialog>
  );
}

function labelOf(name: keyof Form): string {
  const { label, field } = WORDS[name];
  return field === 'MB' || field === 'US dollars' ? `${label} (${field})` : label;
}
