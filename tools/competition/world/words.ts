const list = (text: string): readonly string[] => text.trim().split(/\s+/);

/** 256 stems that nicknames begin with. */
export const leadingStems = list(`
  able acid agile alpha amber angry aqua arc ardent arctic ash astral atomic azure bad bald
  bare basic bitter black blank blaze blind blitz blue bold bone boss brave brisk bronze brute
  calm candy carbon chaos cheap chill chrome cinder civil clever cloud cobalt cold cosmic cozy crazy
  crimson cruel cryo crystal cyber daily dark dawn dead deep delta dense desert dim dire dizzy
  double drift dry dual dusk dusty eager early earth east easy echo elder electro elite ember
  empty epic even evil extra fabled faded fair fancy fast fatal feral fierce final first flash
  flat fleet flux foggy frost frozen full funky fury fuzzy gamma ghost giant glad glass gloomy
  gold grand grave gray green grim grumpy happy harsh hasty heavy hidden high holy honest hot
  huge humble hyper icy idle indigo inner iron ivory jade jazzy jolly jumbo just keen kind
  king last lava lazy lemon light lilac lime liquid little lone long loud low lucid lucky
  lunar lush mad magic magma major marble master mellow metal mighty mild mint misty modern moody
  moon mute mystic neat neon next night nimble noble north nova oak odd old omega onyx
  open orange outer pale paper phantom pink pixel plain plasma polar prime proud pure purple quick
  quiet radiant random rapid rare raw ready real red rich rocky rogue rough royal ruby rust
  sad sandy savage scarlet secret shadow sharp shiny shy silent silk silver simple sleepy slim slow
  sly small smoky smooth snowy solar solid sonic sour south spicy star steel still storm strange`);

/** 128 stems that nicknames end with. */
export const trailingStems = list(`
  ace ant ape arrow axe badger bandit bat bear beast bee bison blade boar bolt bot
  buck bug bull cat cobra comet coyote crab crane crow deer dingo djinn doc dog dove
  dragon drake duck duke eagle eel elf elk falcon ferret finch fish flame fox frog gecko
  goat golem goose hare hawk hero heron hippo hornet hound hunter husky hydra ibis imp jackal
  jay joker judge knight koala kraken lamb lance lark lemur leopard lion lizard llama lynx mage
  mamba mantis marmot medic mole monk moose moth mouse mule newt ninja nomad ogre orca otter
  owl ox panda panther parrot pigeon pilot pirate pony puma python quail rabbit ranger raptor rat
  raven rider robin saint scout seal shark sheep sniper spider squid stork swan tiger toad wolf`);

/** 32 words in other scripts that nicknames end with. */
export const otherScripts = list(`
  волк дракон медведь тигр Снайпер призрак лис ворон łoś żbik źrebak świstak Löwe Bär Füchse Würger
  şahin kılıç ördek Çakal 龍 狼 忍者 鷹 雷神 さくら ネコ 호랑이 용사 λύκος αετός δράκος`);

/** Nouns in the names of teams, clans and hubs. */
export const packs = list(`
  Wolves Ravens Titans Vipers Phoenix Falcons Spartans Dragons Knights Outlaws Rebels Storm Legion Guardians Nomads Sharks
  Cyclones Hornets Panthers Rangers Giants Monarchs Pirates Rockets Samurai Scorpions Sentinels Stallions Trojans Vikings
  Warriors Wizards`);

/** Adjectives in the names of teams, clans and hubs. */
export const qualities = list(`
  Ancient Arctic Brave Burning Crimson Electric Emerald Eternal Fearless Frozen Golden Hidden Hollow Iron Liquid Lunar
  Midnight Mystic Noble Northern Pale Quantum Radiant Ruthless Savage Scarlet Shadow Silent Silver Solar Static Wild`);

/** Seasons and occasions in the names of competitions. */
export const occasions = list(`
  Winter Spring Summer Autumn Weekend Midnight Sunday Community Rookie Pro Open Legends Rivals National Campus Masters`);

/** Kinds of events, for the names of competitions. */
export const events = list(`Clash Cup Series Showdown Invitational Challenge Trophy Arena Brawl Gauntlet Open Circuit`);

/** Nouns in the names of organizers. */
export const firms = list(`League Arena Esports Gaming Events Masters Network Union`);

/** Reasons of bans. */
export const banReasons = [
  'Unsportsmanlike conduct',
  'Verbal abuse',
  'Leaving matches',
  'Cheating',
  'Smurfing',
  'Match fixing',
] as const;

/** A word with its first letter in upper case. */
export function capitalized(word: string): string {
  return word[0].toUpperCase() + word.slice(1);
}
