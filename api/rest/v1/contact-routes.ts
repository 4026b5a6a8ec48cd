// The routes about contacts, in the order of the documentation. Fixed paths stand before those with an id.

import type { Route } from '../route.ts';
import {
  changeContactList,
  createContactList,
  deleteContactList,
  getContactList,
  listContactLists,
} from './contact-lists.ts';
import { changeContact, createContact, deleteContact, getContact, listContacts } from './contacts.ts';
import {
  getContactImport,
  getFailedRows,
  importContacts,
  listContactImports,
  previewImport,
} from './import-contacts.ts';

/** Contacts, lists and imports. */
export const CONTACT_ROUTES: readonly Route[] = [
  importContacts,
  previewImport,
  listContactImports,
  getContactImport,
  getFailedRows,
  createContactList,
  listContactLists,
  getContactList,
  changeContactList,
  deleteContactList,
  createContact,
  listContacts,
  getContact,
  changeContact,
  deleteContact,
];
