// oxlint-disable-next-line import/no-anonymous-default-export -- read by drizzle-kit
export default {
  dialect: 'postgresql',
  schema: 'core/db/schema/*.ts',
  out: 'core/db/migrations',
};
