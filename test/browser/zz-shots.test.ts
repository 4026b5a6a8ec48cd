import { test } from 'vitest';
import { openBrowserWorld, seriousViolations } from '../harness/browser.ts';
test('shots', async () => {
  const world = await openBrowserWorld();
  const paths = (process.env['SHOTS'] ?? '/api-keys').split(',');
  await world.api.makeKey({
    tenantId: world.tenant.id,
    scopes: ['transactional:send', 'templates:read', 'events:read', 'mail:read'],
  });
  for (const size of ['wide', 'phone'] as const) {
    const out = await world.openPage(size);
    await out.goto('/sign-in');
    await out.getByRole('heading').first().waitFor();
    await out.screenshot({ path: `/tmp/shots/sign-in-${size}.png` });
    for (const theme of ['light', 'dark'] as const) {
      const page = await world.signedIn('/api-keys', size);
      await page.evaluate(`localStorage.setItem('postrider-theme', '${theme}')`);
      for (const path of paths) {
        await page.goto(path);
        await page.getByRole('heading').first().waitFor();
        await page.waitForLoadState('networkidle');
        console.log(path, size, theme, await seriousViolations(page));
        await page.screenshot({
          path: `/tmp/shots/${path.replaceAll('/', '_')}-${size}-${theme}.png`,
          fullPage: true,
        });
        if (path === '/api-keys') {
          await page.getByRole('button', { name: 'Create key' }).first().click();
          await page.screenshot({ path: `/tmp/shots/create-${size}-${theme}.png` });
          await page.keyboard.press('Escape');
          if (size === 'phone') await page.getByRole('button', { name: 'Open navigation' }).click();
          else await page.getByRole('button', { name: world.tenant.name }).click();
          await page.screenshot({ path: `/tmp/shots/menu-${size}-${theme}.png` });
        }
      }
    }
  }
  await world.close();
});
