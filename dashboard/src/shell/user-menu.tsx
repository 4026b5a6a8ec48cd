// The signed-in person and their tenants, the theme, sign-out.

import {
  BookOpen,
  BuildingComplex,
  ChevronDown,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserRound,
} from '../gen/icons.ts';
import { useState, type ReactNode } from 'react';
import { useMutation } from 'urql';
import { useLocation } from 'wouter';

import { SwitchTenantDocument } from '../gen/graphql/viewer.ts';
import { errorText } from '../graphql/error-text.ts';
import { endSession, startSession } from '../graphql/session.ts';
import { useViewer } from '../graphql/viewer.tsx';
import { DropdownMenu } from '../ui/dropdown-menu.tsx';
import { askToLeave } from '../ui/leave-question.tsx';
import { useToast } from '../ui/toast.tsx';
import { currentTheme, setTheme, type Theme } from './theme.ts';

const THEMES = [
  { theme: 'light', label: 'Light theme', icon: Sun },
  { theme: 'dark', label: 'Dark theme', icon: Moon },
  { theme: 'system', label: 'System theme', icon: Monitor },
] as const;

/** The menu at the right end of the top bar. */
export function UserMenu(): ReactNode {
  const { user, tenant, memberships } = useViewer();
  const [, navigate] = useLocation();
  const [theme, show] = useState<Theme>(currentTheme);
  const toast = useToast();
  const signOut = () => {
    askToLeave(() => {
      endSession().catch(() => toast('The server cannot be reached. You are still signed in.', 'bad'));
    });
  };
  const [, execute] = useMutation(SwitchTenantDocument);
  const switchTo = async (tenantId: string) => {
    const { data, error } = await execute({ input: { tenantId } });
    if (error) return toast(errorText(error), 'bad');
    navigate('/');
    if (data) startSession(data.switchTenant.accessToken);
  };
  const tenants =
    memberships.length < 2
      ? []
      : [
          ...memberships.map((one) => ({
            label: one.tenant.name,
            icon: BuildingComplex,
            checked: one.tenant.id === tenant.id,
            onSelect: () => askToLeave(() => void switchTo(one.tenant.id)),
          })),
          'separator' as const,
        ];
  const choose = (next: Theme) => {
    setTheme(next);
    show(next);
  };
  return (
    <DropdownMenu
      trigger={
        <button
          type="button"
          className="hover:bg-subtle flex max-w-56 items-center gap-2 rounded-md px-2 py-1.5 text-left sm:max-w-xs"
        >
          <span className="bg-accent-soft text-accent-strong grid size-7 shrink-0 place-items-center rounded-full text-xs font-semibold">
            {tenant.name.slice(0, 1).toUpperCase()}
          </span>
          <span className="min-w-0 truncate font-medium">{tenant.name}</span>
          <ChevronDown size={14} className="text-muted shrink-0" aria-hidden="true" />
        </button>
      }
      header={
        <>
          <p className="truncate font-medium">{user.email}</p>
          <p className="text-muted text-xs">
            {user.role.replace('_', '-')} of {tenant.name}, plan {tenant.plan}
          </p>
        </>
      }
      items={[
        { label: 'Profile', icon: UserRound, onSelect: () => navigate('/profile') },
        { label: 'Documentation', icon: BookOpen, onSelect: () => navigate('/docs') },
        'separator',
        ...tenants,
        ...THEMES.map((one) => ({
          label: one.label,
          icon: one.icon,
          checked: one.theme === theme,
          onSelect: () => choose(one.theme),
        })),
        'separator',
        { label: 'Sign out', icon: LogOut, onSelect: signOut },
      ]}
    />
  );
}
