import { createLink } from '@tanstack/react-router';
import { type ComponentProps, useId } from 'react';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  look?: 'plain' | 'primary' | 'danger' | 'quiet' | undefined;
  icon?: IconName | undefined;
}

export function classOf({ look = 'plain' }: Look, isIcon = false): string {
  return ['button', ...(look === 'plain' ? [] : [look]), ...(isIcon ? ['icon'] : [])].join(' ');
}

interface ButtonProps extends Look, ComponentProps<'button'> {
  /** Why the user may not press it. The keyboard still reaches it, and screen readers read the reason. */
  reason?: string | undefined;
}

export function Button({ reason, ...rest }: ButtonProps) {
  return reason === undefined ? <PlainButton {...rest} /> : <RefusedButton {...rest} reason={reason} />;
}

function PlainButton({ look, icon, children, ...rest }: Look & ComponentProps<'button'>) {
  return (
    <button type="button" className={classOf({ look })} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}

function RefusedButton({ reason, ...rest }: ButtonProps) {
  const id = useId();
  return (
    <>
      <PlainButton {...rest} type="button" onClick={undefined} aria-disabled title={reason} aria-describedby={id} />
      <span id={id} hidden>
        {reason}
      </span>
    </>
  );
}

/** A button with an icon alone: the label is its name and its tooltip. */
export function IconButton({
  look = 'quiet',
  icon,
  label,
  ...rest
}: Look & { icon: IconName; label: string } & Omit<ComponentProps<'button'>, 'aria-label' | 'title'>) {
  return (
    <button type="button" className={classOf({ look }, true)} aria-label={label} title={label} {...rest}>
      <Icon name={icon} />
    </button>
  );
}

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(({ look, icon, children, ...rest }: Look & ComponentProps<'a'>) => (
  <a {...rest} className={classOf({ look })}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
));
