/** Addresses in documents; `{lang}` is literal, clients put a language there. */
const site = 'https://www.podium.example/{lang}';
const assets = 'https://assets.podium.example';

/** Page of a player. */
export function playerPage(nickname: string): string {
  return `${site}/players/${encodeURIComponent(nickname)}`;
}

/** Page of a match. */
export function matchPage(game: string, matchId: string): string {
  return `${site}/${game}/room/${matchId}`;
}

/** Page of anything else. */
export function page(section: string, id: string): string {
  return `${site}/${section}/${id}`;
}

/** A picture. */
export function picture(folder: string, name: string, extension = 'jpg'): string {
  return `${assets}/${folder}/${name}.${extension}`;
}
