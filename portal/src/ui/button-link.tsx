import { createLink } from '@tanstack/react-router';
import type { ComponentProps } from 'react';
import { classOf, type Look } from './button.tsx';
import { Icon } from './icon.tsx';

/** A link to a page that looks like a button. */
export const ButtonLink = createLink(({ look, icon, children, ...rest }: Look & ComponentProps<'a'>) => (
  <a {...rest} className={classOf({ look })}>
    {icon && <Icon name={icon} />}
    {children}
  </a>
));
