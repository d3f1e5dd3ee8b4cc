// Generated from docs/openapi/competition-data.json by openapi-typescript.

export interface paths {
    "/championships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Championships of a game
         * @description Latest start first.
         */
        get: operations["getChampionships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/championships/{championship_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Championship details */
        get: operations["getChampionship"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/championships/{championship_id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Matches of a championship
         * @description Latest start first.
         */
        get: operations["getChampionshipMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/championships/{championship_id}/results": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Results of a championship
         * @description Best place first.
         */
        get: operations["getChampionshipResults"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/championships/{championship_id}/subscriptions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Subscriptions of a championship
         * @description In the order of groups.
         */
        get: operations["getChampionshipSubscriptions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All games */
        get: operations["getAllGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/matchmakings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Matchmakings of a game */
        get: operations["getGameMatchmakings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Game details */
        get: operations["getGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/parent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Parent game of a region-specific game
         * @description 404 if the game has no parent.
         */
        get: operations["getParentGame"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matchmakings/{matchmaking_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Matchmaking details */
        get: operations["getMatchmaking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queues by filters
         * @description Game developers see all queues, organizers their own.
         */
        get: operations["getQueuesByEntityFilters"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/queues/{queue_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queue details
         * @description For developers of the game and for the organizer that owns the queue.
         */
        get: operations["getQueueById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/queues/{queue_id}/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queue bans
         * @description Latest first; for developers of the game and for the organizer that owns the queue.
         */
        get: operations["getQueueBans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/games/{game_id}/regions/{region_id}/queues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Queues by region
         * @description For developers of the game.
         */
        get: operations["getQueuesByRegion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Hub details */
        get: operations["getHub"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Matches of a hub
         * @description Latest start first.
         */
        get: operations["getHubMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Members of a hub
         * @description Earliest member first.
         */
        get: operations["getHubMembers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}/roles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Roles of a hub
         * @description In the order of their ranking.
         */
        get: operations["getHubRoles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a hub
         * @description offset and limit apply to players.
         */
        get: operations["getHubStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hubs/{hub_id}/rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Rules of a hub */
        get: operations["getHubRules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/championships/{championship_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Leaderboards of a championship
         * @description Latest start first.
         */
        get: operations["getChampionshipLeaderboards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/championships/{championship_id}/groups/{group}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Group ranking of a championship */
        get: operations["getChampionshipGroupRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/hubs/{hub_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Leaderboards of a hub
         * @description Latest start first.
         */
        get: operations["getHubLeaderboards"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/hubs/{hub_id}/general": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All-time ranking of a hub */
        get: operations["getHubRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/hubs/{hub_id}/seasons/{season}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Seasonal ranking of a hub */
        get: operations["getHubSeasonRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/{leaderboard_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ranking of a leaderboard */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leaderboards/{leaderboard_id}/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Ranking of a player in a leaderboard */
        get: operations["getPlayerRankingInLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leagues/{league_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** League details */
        get: operations["getLeagueById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leagues/{league_id}/seasons/{season_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Season of a league */
        get: operations["getLeagueSeason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/leagues/{league_id}/seasons/{season_id}/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Player in a league season */
        get: operations["getPlayerForLeagueSeason"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{match_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Match details */
        get: operations["getMatch"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/matches/{match_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Match statistics */
        get: operations["getMatchStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizer by name */
        get: operations["getOrganizerByName"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/{organizer_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Organizer details */
        get: operations["getOrganizer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/{organizer_id}/championships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Championships of an organizer */
        get: operations["getOrganizerChampionships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/{organizer_id}/games": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Games of an organizer
         * @description All games on one page; end is their number.
         */
        get: operations["getOrganizerGames"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/{organizer_id}/hubs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Hubs of an organizer */
        get: operations["getOrganizerHubs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/organizers/{organizer_id}/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tournaments of an organizer
         * @description Latest start first.
         */
        get: operations["getOrganizerTournaments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Player by query
         * @description By exact nickname, or by game and game_player_id; nickname takes precedence.
         */
        get: operations["getPlayerFromLookup"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Player details */
        get: operations["getPlayer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/bans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Bans of a player
         * @description Latest first.
         */
        get: operations["getPlayerBans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/games/{game_id}/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Statistics of a player over a number of matches
         * @description Latest first.
         */
        get: operations["getPlayerMatchesStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Matches of a player
         * @description Latest first; the response contains from and to as used.
         */
        get: operations["getPlayerHistory"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/hubs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Hubs of a player
         * @description Most recently joined first.
         */
        get: operations["getPlayerHubs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/stats/{game_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Statistics of a player */
        get: operations["getPlayerStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Teams of a player */
        get: operations["getPlayerTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/players/{player_id}/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tournaments of a player
         * @description Most recently joined first. One that the player joined with several teams is listed once, by the latest.
         */
        get: operations["getPlayerTournaments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rankings/games/{game_id}/regions/{region}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Global ranking of a game */
        get: operations["getGlobalRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/rankings/games/{game_id}/regions/{region}/players/{player_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Position of a player in the global ranking
         * @description A window of limit items with the player in the middle, at limit/2 for an even limit. At the ends of the ranking the window shifts and stays full. start and end are the positions of its first and last item.
         */
        get: operations["getPlayerRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/championships": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search championships
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchChampionships"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/clans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search clans
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchClans"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/hubs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search hubs
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchHubs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/organizers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search organizers
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchOrganizers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/players": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search players
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchPlayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search teams
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search tournaments
         * @description Exact names first, then names that begin with the text, then names that contain it or are similar.
         */
        get: operations["searchTournaments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Team details */
        get: operations["getTeam"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}/stats/{game_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Team statistics */
        get: operations["getTeamStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/teams/{team_id}/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tournaments of a team
         * @description Most recently joined first.
         */
        get: operations["getTeamTournaments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tournaments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tournaments v1 (no longer used)
         * @deprecated
         * @description Current tournaments are championships. Latest start first.
         */
        get: operations["getTournamentsList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tournaments/{tournament_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Tournament details */
        get: operations["getTournament"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tournaments/{tournament_id}/brackets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Brackets of a tournament */
        get: operations["getTournamentBrackets"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tournaments/{tournament_id}/matches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Matches of a tournament
         * @description Latest start first.
         */
        get: operations["getTournamentMatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/tournaments/{tournament_id}/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Teams of a tournament
         * @description offset and limit apply to each of the four arrays. Earliest joined first.
         */
        get: operations["getTournamentTeams"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description A championship; game_data and organizer_data only where they are asked for */
        Championship: {
            anticheat_required: boolean;
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Background: URL, empty when there is none */
            background_image: string;
            /** @description UUID */
            championship_id: string;
            /**
             * Format: int64
             * @description Start, Unix milliseconds
             */
            championship_start: number;
            /**
             * Format: int64
             * @description When those who have not checked in are removed, Unix milliseconds
             */
            checkin_clear: number;
            checkin_enabled: boolean;
            /**
             * Format: int64
             * @description Start of the check-in, Unix milliseconds
             */
            checkin_start: number;
            /** @description Cover: URL, empty when there is none */
            cover_image: string;
            /**
             * Format: int64
             * @description Teams subscribed
             */
            current_subscriptions: number;
            /** @description What it is about */
            description: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            featured: boolean;
            /** @description No slot is left */
            full: boolean;
            game_data?: components["schemas"]["Game"];
            /** @description Game that is played */
            game_id: string;
            /** @description The same as championship_id */
            id: string;
            join_checks: components["schemas"]["JoinChecks"];
            /** @description Name */
            name: string;
            organizer_data?: components["schemas"]["Organizer"];
            /** @description Who runs it */
            organizer_id: string;
            prizes: {
                /**
                 * Format: int64
                 * @description In the service's own points
                 */
                platform_points: number;
                /**
                 * Format: int64
                 * @description Final place that wins it
                 */
                rank: number;
            }[];
            /** @description Known: EU, NA, US, SA, SEA, OCE, RU, GLOBAL */
            region: string;
            /** @description Its rules */
            rules_id: string;
            /** @description By number of the round */
            schedule: {
                [key: string]: {
                    /**
                     * Format: int64
                     * @description Start, Unix milliseconds
                     */
                    date: number;
                    /** @description State of the round */
                    status: string;
                };
            };
            /** @description Omitted when not set */
            screening?: {
                enabled: boolean;
                /** @description The screening */
                id: string;
            };
            /** @description How participants are seeded */
            seeding_strategy: string;
            /**
             * Format: int64
             * @description Places for participants
             */
            slots: number;
            /** @description Known: join, upcoming, started, ongoing, adjustment, finished, cancelled */
            status: string;
            /** @description Its broadcast: not active, and with empty texts, when there is none */
            stream?: {
                active: boolean;
                /** @description Where it is streamed */
                platform: string;
                /** @description Channel there */
                source: string;
                /** @description Title */
                title: string;
            };
            /**
             * Format: int64
             * @description End of subscriptions, Unix milliseconds
             */
            subscription_end: number;
            /**
             * Format: int64
             * @description Start of subscriptions, Unix milliseconds
             */
            subscription_start: number;
            subscriptions_locked: boolean;
            substitution_configuration: {
                /**
                 * Format: int64
                 * @description Substitutes of a team
                 */
                max_substitutes: number;
                /**
                 * Format: int64
                 * @description Substitutions of a team; 0: none
                 */
                max_substitutions: number;
            };
            /**
             * Format: int64
             * @description Groups
             */
            total_groups: number;
            /**
             * Format: int64
             * @description Sum of the prizes
             */
            total_prizes: number;
            /**
             * Format: int64
             * @description Rounds
             */
            total_rounds: number;
            /** @description Known: bracket, doubleElimination, singleElimination, roundRobin, stage */
            type: string;
        };
        /** @description A page of a list */
        ChampionshipPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Championship"][];
        };
        /** @description A range of places and the participants who share it */
        ChampionshipResult: {
            bounds: {
                /**
                 * Format: int32
                 * @description First place, 1-based
                 */
                left: number;
                /**
                 * Format: int32
                 * @description Last place
                 */
                right: number;
            };
            placements: {
                /** @description Participant */
                id: string;
                /** @description Name */
                name: string;
                /** @description Kind of participant */
                type: string;
            }[];
        };
        /** @description A page of a list */
        ChampionshipResultPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["ChampionshipResult"][];
        };
        /** @description A team that subscribed to a championship */
        ChampionshipSubscription: {
            /** @description Player id; empty when there is none */
            coach: string;
            /** @description Player id; empty when there is none */
            coleader: string;
            /**
             * Format: int32
             * @description Group that it plays in
             */
            group: number;
            /** @description Player id */
            leader: string;
            /** @description Player ids */
            roster: string[];
            /** @description State of the subscription */
            status: string;
            /** @description Player ids */
            substitutes: string[];
            team: components["schemas"]["Team"];
        };
        /** @description A page of a list */
        ChampionshipSubscriptionPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["ChampionshipSubscription"][];
        };
        /** @description A clan found by name */
        ClanSearchItem: {
            /** @description Omitted when there is none: URL, empty when there is none */
            avatar?: string;
            /** @description Game id */
            game: string;
            /** @description The clan */
            id: string;
            /** @description Known: public, invite, application */
            join: string;
            /**
             * Format: date-time
             * @description End of the last match, ISO 8601
             */
            last_match_finished: string;
            /**
             * Format: int64
             * @description Matches in 24 hours
             */
            matches_count_24h: number;
            /**
             * Format: int64
             * @description Highest level that may join
             */
            max_skill_level: number;
            /**
             * Format: int64
             * @description Members
             */
            members_count: number;
            /**
             * Format: int64
             * @description Members who joined in 24 hours
             */
            members_count_24h: number;
            /**
             * Format: int64
             * @description Lowest level that may join
             */
            min_skill_level: number;
            /** @description Name */
            name: string;
            /** @description Who runs it */
            organizer_id: string;
            /** @description Region */
            region: string;
            /** @description Kind of clan */
            type: string;
        };
        /** @description A page of a list */
        ClanSearchItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["ClanSearchItem"][];
        };
        /** @description A championship, hub or tournament found by name */
        CompetitionSearchItem: {
            /** @description UUID */
            competition_id: string;
            /** @description championship, hub or tournament */
            competition_type: string;
            /** @description Game id */
            game: string;
            /** @description Name */
            name: string;
            /**
             * Format: int64
             * @description Members
             */
            number_of_members: number;
            /** @description Who runs it */
            organizer_id: string;
            /** @description Name of who runs it */
            organizer_name: string;
            /** @description Kind of who runs it */
            organizer_type: string;
            /**
             * Format: int64
             * @description Players checked in
             */
            players_checkedin: number;
            /**
             * Format: int64
             * @description Players joined
             */
            players_joined: number;
            /** @description Kind of prizes */
            prize_type: string;
            /** @description Region */
            region: string;
            /**
             * Format: int64
             * @description Places
             */
            slots: number;
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            started_at: number;
            /** @description As in the details */
            status: string;
            /** @description Sum of the prizes */
            total_prize: string;
        };
        /** @description A page of a list */
        CompetitionSearchItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["CompetitionSearchItem"][];
        };
        /** @description The body of every error */
        DataError: {
            errors: {
                /** @description Description of the error, for people */
                message: string;
                /** @description Error code, such as err_nf0 */
                code: string;
                /**
                 * Format: int64
                 * @description The status of the response
                 */
                http_status: number;
                /** @description Names of the invalid arguments */
                parameters: string[];
            }[];
        };
        /** @description A division of a league */
        Division: {
            assets: {
                /** @description Such as #ff5500 */
                color: string;
                /** @description Icon: URL, empty when there is none */
                icon: string;
                /** @description Picture: URL, empty when there is none */
                image: string;
            };
            /** @description Kind of configuration */
            config_type: string;
            leaderboard_config: {
                /**
                 * Format: int64
                 * @description Players of a leaderboard
                 */
                max_players: number;
                /**
                 * Format: int64
                 * @description Points of a loss
                 */
                points_per_loss: number;
                /**
                 * Format: int64
                 * @description Points of a win
                 */
                points_per_win: number;
                promotion: {
                    /**
                     * Format: int64
                     * @description Points that promote
                     */
                    points: number;
                };
                relegation: {
                    /**
                     * Format: int64
                     * @description Losses in a row that relegate
                     */
                    consecutive_losses: number;
                };
                /**
                 * Format: int64
                 * @description Points at the start
                 */
                starting_points: number;
            };
            /** @description Leaderboard ids */
            leaderboards: string[];
            /**
             * Format: int64
             * @description Highest rating
             */
            max_elo: number;
            /**
             * Format: int64
             * @description Lowest rating
             */
            min_elo: number;
            /** @description Name */
            name: string;
            tiers: {
                /** @description Name */
                name: string;
                /**
                 * Format: int64
                 * @description Points that reach it
                 */
                points_target: number;
                /**
                 * Format: int64
                 * @description Order
                 */
                rank: number;
            }[];
            /** @description Kind of division */
            type: string;
        };
        /** @description A game, or a regional edition of one */
        Game: {
            /** @description Pictures of the game */
            assets: {
                /** @description Cover: URL, empty when there is none */
                cover: string;
                /** @description Featured picture, large: URL, empty when there is none */
                featured_img_l: string;
                /** @description Featured picture, medium: URL, empty when there is none */
                featured_img_m: string;
                /** @description Featured picture, small: URL, empty when there is none */
                featured_img_s: string;
                /** @description Flag, icon: URL, empty when there is none */
                flag_img_icon: string;
                /** @description Flag, large: URL, empty when there is none */
                flag_img_l: string;
                /** @description Flag, medium: URL, empty when there is none */
                flag_img_m: string;
                /** @description Flag, small: URL, empty when there is none */
                flag_img_s: string;
                /** @description Landing page: URL, empty when there is none */
                landing_page: string;
            };
            /** @description Word that names the game: cs2, dota2 */
            game_id: string;
            /** @description Full name */
            long_label: string;
            /**
             * Format: int32
             * @description Place in the list of all games, ascending
             */
            order: number;
            /** @description The game that this one is a regional edition of; its own id or empty when it is none */
            parent_game_id: string;
            /** @description Platforms that it is played on */
            platforms: string[];
            /** @description Regions that it is played in */
            regions: string[];
            /** @description Short name */
            short_label: string;
        };
        /** @description A page of a list */
        GamePage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Game"][];
        };
        /** @description A player's place in the global ranking */
        GlobalRankingItem: {
            /** @description ISO 3166-1 code, lower case */
            country: string;
            /**
             * Format: int32
             * @description Rating; more is better
             */
            platform_elo: number;
            /**
             * Format: int64
             * @description Level in the game
             */
            game_skill_level: number;
            /** @description Nickname */
            nickname: string;
            /** @description UUID */
            player_id: string;
            /**
             * Format: int64
             * @description Place, 1-based; inside the country where one is given
             */
            position: number;
        };
        /** @description A page of a list */
        GlobalRankingItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["GlobalRankingItem"][];
        };
        /** @description A hub; game_data and organizer_data only where they are asked for */
        Hub: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Background: URL, empty when there is none */
            background_image: string;
            /** @description Its chat room */
            chat_room_id: string;
            /** @description Cover: URL, empty when there is none */
            cover_image: string;
            /** @description What it is about */
            description: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            game_data?: components["schemas"]["Game"];
            /** @description Game that is played */
            game_id: string;
            /** @description UUID */
            hub_id: string;
            /** @description Known: PUBLIC, INVITED_ONLY */
            join_permission: string;
            /**
             * Format: int64
             * @description Highest level that may join
             */
            max_skill_level: number;
            /**
             * Format: int64
             * @description Lowest level that may join
             */
            min_skill_level: number;
            /** @description Name */
            name: string;
            organizer_data?: components["schemas"]["Organizer"];
            /** @description Who runs it */
            organizer_id: string;
            /**
             * Format: int64
             * @description Members
             */
            players_joined: number;
            /** @description Region */
            region: string;
            /** @description Its rules */
            rule_id: string;
        };
        /** @description A member of a hub */
        HubMember: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Nickname */
            nickname: string;
            /** @description Role ids or names */
            roles: string[];
            /** @description Player id */
            user_id: string;
        };
        /** @description A page of a list */
        HubMemberPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["HubMember"][];
        };
        /** @description A page of a list */
        HubPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Hub"][];
        };
        /** @description Statistics of a player in a hub */
        HubPlayerStats: {
            /** @description Nickname */
            nickname: string;
            /** @description UUID */
            player_id: string;
            /** @description Statistics in this hub; labels are free, numbers are texts too */
            stats: {
                [key: string]: string;
            };
        };
        /** @description A role of a hub */
        HubRole: {
            /** @description Such as #ff5500 */
            color: string;
            /** @description Name */
            name: string;
            /**
             * Format: int32
             * @description Place in the list of roles, ascending
             */
            ranking: number;
            /** @description The role */
            role_id: string;
            visible_on_chat: boolean;
        };
        /** @description A page of a list */
        HubRolePage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["HubRole"][];
        };
        /** @description The rules of a hub */
        HubRules: {
            /** @description The rules themselves */
            body: string;
            /** @description Game id */
            game: string;
            /** @description Title */
            name: string;
            /** @description Organizer id */
            organizer: string;
            /** @description The rules */
            rule_id: string;
        };
        /** @description Statistics of a hub */
        HubStats: {
            /** @description Game of the hub */
            game_id: string;
            players: components["schemas"]["HubPlayerStats"][];
        };
        /** @description What a participant must meet */
        JoinChecks: {
            /** @description Empty: any */
            allowed_team_types: string[];
            /** @description Countries that may not join */
            blacklist_geo_countries: string[];
            /** @description Who may join */
            join_policy: string;
            /**
             * Format: int64
             * @description Highest level that may join
             */
            max_skill_level: number;
            /** @description Membership that is needed; empty: none */
            membership_type: string;
            /**
             * Format: int64
             * @description Lowest level that may join
             */
            min_skill_level: number;
            /** @description Empty: any */
            whitelist_geo_countries: string[];
            /**
             * Format: int64
             * @description Players of a team who must be of these countries
             */
            whitelist_geo_countries_min_players: number;
        };
        /** @description A leaderboard of a championship or a hub */
        Leaderboard: {
            /** @description The championship or hub */
            competition_id: string;
            /** @description Known: championship, hub */
            competition_type: string;
            /**
             * Format: int64
             * @description End, Unix seconds
             */
            end_date: number;
            /** @description Game id */
            game_id: string;
            /**
             * Format: int32
             * @description Group of the championship; 0 where there are none
             */
            group: number;
            /** @description 24 hex characters */
            leaderboard_id: string;
            /** @description Known: classic */
            leaderboard_mode: string;
            /** @description Name */
            leaderboard_name: string;
            /** @description Known: championship, hub_season, hub_general, event */
            leaderboard_type: string;
            /**
             * Format: int64
             * @description Matches before a player is ranked
             */
            min_matches: number;
            /**
             * Format: int64
             * @description Points of a draw
             */
            points_per_draw: number;
            /**
             * Format: int64
             * @description Points of a loss
             */
            points_per_loss: number;
            /**
             * Format: int64
             * @description Points of a win
             */
            points_per_win: number;
            /** @description Known: flat */
            points_type: string;
            /**
             * Format: int64
             * @description Boost of the first matches
             */
            ranking_boost: number;
            /** @description Known: team, solo */
            ranking_type: string;
            /** @description Region */
            region: string;
            /**
             * Format: int64
             * @description Round of the championship; 0 where there are none
             */
            round: number;
            /**
             * Format: int32
             * @description Season of the hub; 0 where there are none
             */
            season: number;
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            start_date: number;
            /**
             * Format: int64
             * @description Points at the start
             */
            starting_points: number;
            /** @description Known: ONGOING, FINISHED */
            status: string;
        };
        /** @description A page of a list */
        LeaderboardPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Leaderboard"][];
        };
        /** @description A page of a list */
        LeaderboardRanking: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["RankingEntry"][];
            leaderboard: components["schemas"]["Leaderboard"];
        };
        /** @description A league with its present season */
        League: {
            divisions: components["schemas"]["Division"][];
            /** @description Game id */
            game: string;
            /** @description The league */
            id: string;
            /**
             * Format: int64
             * @description Matches before a player is ranked
             */
            min_matches: number;
            /** @description Region */
            region: string;
            season: components["schemas"]["Season"];
        };
        /** @description A player's place in a season of a league */
        LeaguePlayer: {
            /** @description Division */
            division_name: string;
            /** @description Tier of the division */
            division_tier: string;
            /** @description Kind of the division */
            division_type: string;
            /** @description Leaderboard of the division */
            leaderboard_id: string;
            /**
             * Format: int32
             * @description Points; more is better
             */
            points: number;
            /**
             * Format: int64
             * @description Place in the season, 1-based
             */
            position: number;
        };
        /** @description One season of a league */
        LeagueSeason: {
            divisions: components["schemas"]["Division"][];
            season: components["schemas"]["Season"];
        };
        /** @description A match */
        Match: {
            /**
             * Format: int64
             * @description Games at most
             */
            best_of: number;
            /**
             * Format: int64
             * @description Start of the broadcast, Unix seconds
             */
            broadcast_start_time?: number;
            /** @description Start of the broadcast, for people */
            broadcast_start_time_label?: string;
            calculate_elo: boolean;
            /** @description Its chat room */
            chat_room_id: string;
            /** @description Championship, hub, matchmaking or tournament */
            competition_id: string;
            /** @description Name of the competition */
            competition_name: string;
            /** @description Known: championship, hub, matchmaking, tournament */
            competition_type: string;
            /**
             * Format: int64
             * @description When the server was set up, Unix seconds
             */
            configured_at?: number;
            /** @description Recordings */
            demo_url?: string[];
            /** @description One per game */
            detailed_results?: {
                /** @description The lower score wins */
                asc_score: boolean;
                /** @description By faction key */
                factions: {
                    [key: string]: {
                        /**
                         * Format: int64
                         * @description Score
                         */
                        score: number;
                    };
                };
                /** @description Faction key */
                winner: string;
            }[];
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /**
             * Format: int64
             * @description End, Unix seconds
             */
            finished_at?: number;
            /** @description Game id */
            game: string;
            /**
             * Format: int64
             * @description Group of the competition
             */
            group: number;
            instances: {
                /** @description Recordings */
                demos: string[];
                /** @description The instance */
                id: string;
                /**
                 * Format: int64
                 * @description Game of the match, 1-based
                 */
                round: number;
            }[];
            /** @description 1- and a UUID */
            match_id: string;
            /** @description Who runs the competition */
            organizer_id: string;
            /** @description Region */
            region: string;
            results?: components["schemas"]["MatchResults"];
            /**
             * Format: int64
             * @description Round of the competition
             */
            round: number;
            /**
             * Format: int64
             * @description Planned start, Unix seconds
             */
            scheduled_at?: number;
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            started_at?: number;
            /** @description Known: SCHEDULED, VOTING, CONFIGURING, READY, ONGOING, FINISHED, CANCELLED */
            status: string;
            /** @description By faction key: faction1, faction2 */
            teams: {
                [key: string]: components["schemas"]["MatchTeam"];
            };
            /**
             * Format: int64
             * @description Grows with every change of the match
             */
            version: number;
            /** @description Omitted when nothing is voted on */
            voting?: {
                /** @description Vote on the server; {} when there is none */
                location?: {
                    [key: string]: unknown;
                };
                /** @description Vote on the map; {} when there is none */
                map?: {
                    [key: string]: unknown;
                };
                /** @description What was voted on, in order */
                voted_entity_types?: string[];
            };
        };
        /** @description A page of a list */
        MatchPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Match"][];
        };
        /** @description Omitted while there is none */
        MatchResults: {
            /** @description By faction key */
            score: {
                [key: string]: number;
            };
            /** @description Faction key */
            winner: string;
        };
        /** @description A match in numbers; values are texts, numbers too */
        MatchStats: {
            rounds: components["schemas"]["MatchStatsRound"][];
        };
        /** @description A round of a match in numbers */
        MatchStatsRound: {
            /** @description Games at most */
            best_of: string;
            /** @description Championship, hub, matchmaking or tournament */
            competition_id: string;
            /** @description Game id */
            game_id: string;
            /** @description Such as 5v5 */
            game_mode: string;
            /** @description 1- and a UUID */
            match_id: string;
            /** @description Number of the round, 1-based */
            match_round: string;
            /** @description "1" when it was played */
            played: string;
            /** @description Of the round; labels are free, numbers are texts too */
            round_stats: {
                [key: string]: string;
            };
            teams: {
                players: {
                    /** @description Nickname */
                    nickname: string;
                    /** @description UUID */
                    player_id: string;
                    /** @description Of the player; labels are free, numbers are texts too */
                    player_stats: {
                        [key: string]: string;
                    };
                }[];
                premade: boolean;
                /** @description The team */
                team_id: string;
                /** @description Of the team; labels are free, numbers are texts too */
                team_stats: {
                    [key: string]: string;
                };
            }[];
        };
        /** @description A side of a match */
        MatchTeam: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description The team, or the player or party that leads this side */
            faction_id: string;
            /** @description Player id */
            leader: string;
            /** @description Name */
            name: string;
            roster: components["schemas"]["RosterPlayer"][];
            /** @description The roster in an older form; null where there is none */
            roster_v1?: unknown;
            stats: {
                /**
                 * Format: int64
                 * @description Rating of the side
                 */
                rating: number;
                skillLevel: {
                    /**
                     * Format: int64
                     * @description Average level
                     */
                    average: number;
                    range: {
                        /**
                         * Format: int64
                         * @description Highest level
                         */
                        max: number;
                        /**
                         * Format: int64
                         * @description Lowest level
                         */
                        min: number;
                    };
                };
                /**
                 * Format: int64
                 * @description Chance of this side, per cent
                 */
                winProbability: number;
            };
            substituted: boolean;
            substitutes: components["schemas"]["Substitute"][];
            /** @description Kind of team */
            type: string;
        };
        /** @description A matchmaking with its queues */
        Matchmaking: {
            /** @description Game id */
            game: string;
            /** @description Icon: URL, empty when there is none */
            icon: string;
            /** @description The matchmaking */
            id: string;
            /** @description Its league; empty when there is none */
            league_id: string;
            /** @description What it is about */
            long_description: string;
            /** @description Name */
            name: string;
            queues: {
                /** @description 24 hex characters */
                id: string;
                /** @description Name */
                name: string;
                open: boolean;
                /** @description Who owns it */
                organizer_id: string;
                paused: boolean;
            }[];
            /** @description Region */
            region: string;
            /** @description What it is about, in a line */
            short_description: string;
        };
        /** @description A matchmaking in the list of a game */
        MatchmakingListItem: {
            /** @description Game id */
            game: string;
            has_league: boolean;
            /** @description The matchmaking */
            id: string;
            /** @description Name */
            name: string;
            /** @description Region */
            region: string;
        };
        /** @description A page of a list */
        MatchmakingListItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["MatchmakingListItem"][];
        };
        /** @description Who runs competitions: an organization or a user */
        Organizer: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Cover: URL, empty when there is none */
            cover: string;
            /** @description What the organizer says of itself */
            description: string;
            /** @description Page there; empty when there is none */
            facebook: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /**
             * Format: int64
             * @description Users who follow it
             */
            followers_count: number;
            /** @description Name */
            name: string;
            /** @description UUID or plain word */
            organizer_id: string;
            /** @description Page there; empty when there is none */
            twitch: string;
            /** @description Page there; empty when there is none */
            twitter: string;
            /** @description Known: organization, user */
            type: string;
            /** @description Page there; empty when there is none */
            vk: string;
            /** @description Own page; empty when there is none */
            website: string;
            /** @description Page there; empty when there is none */
            youtube: string;
        };
        /** @description An organizer found by name */
        OrganizerSearchItem: {
            active: boolean;
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Countries that it is active in */
            countries: string[];
            /** @description Game ids */
            games: string[];
            /** @description Name */
            name: string;
            /** @description UUID or plain word */
            organizer_id: string;
            partner: boolean;
            /** @description Regions that it is active in */
            regions: string[];
        };
        /** @description A page of a list */
        OrganizerSearchItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["OrganizerSearchItem"][];
        };
        /** @description A player */
        Player: {
            /**
             * Format: date-time
             * @description When the account was activated, ISO 8601
             */
            activated_at: string;
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description ISO 3166-1 code, lower case */
            country: string;
            /** @description Featured cover: URL, empty when there is none */
            cover_featured_image: string;
            /** @description Cover: URL, empty when there is none */
            cover_image: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Player ids */
            friends_ids: string[];
            /** @description By game id */
            games: {
                [key: string]: components["schemas"]["PlayerGame"];
            };
            /** @description Infractions; {} when there is none */
            infractions: {
                [key: string]: unknown;
            };
            /** @description Known: free, plus, premium, unlimited */
            membership_type: string;
            /** @description All memberships */
            memberships: string[];
            /** @description Steam id in its newer form; empty when there is none */
            new_steam_id: string;
            /** @description Nickname */
            nickname: string;
            /** @description Ids on the games' platforms, by platform */
            platforms: {
                [key: string]: string;
            };
            /** @description UUID */
            player_id: string;
            settings: {
                /** @description Language code */
                language: string;
            };
            /** @description Steam id; empty when there is none */
            steam_id_64: string;
            /** @description Name on Steam; empty when there is none */
            steam_nickname: string;
            verified: boolean;
        };
        /** @description A ban of a player */
        PlayerBan: {
            /**
             * Format: date-time
             * @description End, ISO 8601
             */
            ends_at: string;
            /** @description Game id */
            game: string;
            /** @description Nickname */
            nickname: string;
            /** @description Why */
            reason: string;
            /**
             * Format: date-time
             * @description Start, ISO 8601
             */
            starts_at: string;
            /** @description Kind of ban */
            type: string;
            /** @description Player id */
            user_id: string;
        };
        /** @description A page of a list */
        PlayerBanPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["PlayerBan"][];
        };
        /** @description What a player is in one game */
        PlayerGame: {
            /**
             * Format: int32
             * @description Rating; more is better
             */
            platform_elo: number;
            /** @description The player's id on the game's platform */
            game_player_id: string;
            /** @description The player's name in the game */
            game_player_name: string;
            /** @description Profile in the game */
            game_profile_id: string;
            /** @description Region that the player is ranked in */
            region: string;
            /** @description Ratings by region; {} when there is none */
            regions: {
                [key: string]: unknown;
            };
            /**
             * Format: int64
             * @description Level in the game
             */
            skill_level: number;
            /** @description The level, for people */
            skill_level_label: string;
        };
        /** @description A page of a list */
        PlayerHistory: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["PlayerMatch"][];
            /**
             * Format: int64
             * @description Unix seconds
             */
            from: number;
            /**
             * Format: int64
             * @description Unix seconds
             */
            to: number;
        };
        /** @description A match in the history of a player; one document for all who played it */
        PlayerMatch: {
            /** @description Championship, hub, matchmaking or tournament */
            competition_id: string;
            /** @description Name of the competition */
            competition_name: string;
            /** @description Known: championship, hub, matchmaking, tournament */
            competition_type: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /**
             * Format: int64
             * @description End, Unix seconds
             */
            finished_at: number;
            /** @description Game id */
            game_id: string;
            /** @description Such as 5v5 */
            game_mode: string;
            /** @description 1- and a UUID */
            match_id: string;
            /** @description Kind of match */
            match_type: string;
            /**
             * Format: int64
             * @description Players at most
             */
            max_players: number;
            /** @description Who runs the competition */
            organizer_id: string;
            /** @description Player ids of all who played */
            playing_players: string[];
            /** @description Region */
            region: string;
            results?: components["schemas"]["MatchResults"];
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            started_at: number;
            /** @description As of a match, in lower case */
            status: string;
            /** @description By faction key */
            teams: {
                [key: string]: {
                    /** @description Avatar: URL, empty when there is none */
                    avatar: string;
                    /** @description Name */
                    nickname: string;
                    players: {
                        /** @description Avatar: URL, empty when there is none */
                        avatar: string;
                        /** @description Page at the service; carries a literal {lang} segment */
                        platform_url: string;
                        /** @description The player's id on the game's platform */
                        game_player_id: string;
                        /** @description The player's name in the game */
                        game_player_name: string;
                        /** @description Nickname */
                        nickname: string;
                        /** @description UUID */
                        player_id: string;
                        /**
                         * Format: int64
                         * @description Level in the game
                         */
                        skill_level: number;
                    }[];
                    /** @description The team */
                    team_id: string;
                    /** @description Kind of team */
                    type: string;
                };
            };
            /**
             * Format: int64
             * @description Players of a team
             */
            teams_size: number;
        };
        /** @description A player's statistics in one round */
        PlayerMatchStats: {
            /**
             * @description Values are texts; "Match Finished At" is a number, Unix milliseconds
             * @example {
             *       "Match Finished At": 1767225600000,
             *       "Map": "Mirage",
             *       "Kills": "21",
             *       "Deaths": "14"
             *     }
             */
            stats: {
                [key: string]: unknown;
            };
        };
        /** @description A page of a list */
        PlayerMatchStatsPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["PlayerMatchStats"][];
        };
        /** @description A page of a list */
        PlayerRanking: {
            /**
             * Format: int64
             * @description Position of the first item
             */
            start: number;
            /**
             * Format: int64
             * @description Position of the last item
             */
            end: number;
            items: components["schemas"]["GlobalRankingItem"][];
            /**
             * Format: int64
             * @description Position of the player
             */
            position: number;
        };
        /** @description A player found by nickname */
        PlayerSearchItem: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description ISO 3166-1 code, upper case */
            country: string;
            games: {
                /** @description Game id */
                name: string;
                /** @description Level, as a text */
                skill_level: string;
            }[];
            /** @description Nickname */
            nickname: string;
            /** @description UUID */
            player_id: string;
            /** @description State of the account */
            status: string;
            verified: boolean;
        };
        /** @description A page of a list */
        PlayerSearchItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["PlayerSearchItem"][];
        };
        /** @description A player's statistics in a game */
        PlayerStats: {
            /** @description Game id */
            game_id: string;
            /** @description Over all matches; labels are free, numbers are texts too; "Recent Results" is a list of "0" and "1" */
            lifetime: {
                [key: string]: unknown;
            };
            /** @description UUID */
            player_id: string;
            /** @description By map and mode */
            segments: {
                /** @description Picture: URL, empty when there is none */
                img_regular: string;
                /** @description Small picture: URL, empty when there is none */
                img_small: string;
                /** @description Such as the name of a map */
                label: string;
                /** @description Such as 5v5 */
                mode: string;
                /** @description In this segment; labels are free, numbers are texts too */
                stats: {
                    [key: string]: string;
                };
                /** @description What the segment is: Map */
                type: string;
            }[];
        };
        /** @description A user's ban from a queue */
        QueueBan: {
            /**
             * Format: date-time
             * @description End, ISO 8601
             */
            banEnd: string;
            /** @description The ban */
            banId: string;
            /**
             * Format: date-time
             * @description Start, ISO 8601
             */
            banStart: string;
            /**
             * Format: date-time
             * @description When it was made, ISO 8601
             */
            createdAt: string;
            /** @description What the queue belongs to */
            entityId: string;
            /** @description Kind of that */
            entityType: string;
            expired: boolean;
            /**
             * Format: date-time
             * @description Last change, ISO 8601
             */
            lastModified: string;
            /** @description Nickname of the user */
            nickname: string;
            /** @description Who owns the queue */
            organizerId: string;
            /** @description The queue */
            queueId: string;
            /** @description Why */
            reason: string;
            /** @description Kind of ban */
            type: string;
            /** @description The user */
            userId: string;
            /**
             * Format: int64
             * @description Grows with every change of the ban
             */
            version: number;
        };
        /** @description A page of a list */
        QueueBanPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["QueueBan"][];
        };
        /** @description A queue with the way it makes matches */
        QueueDetails: {
            /** @description What the queue belongs to */
            entityId: string;
            /** @description Kind of that */
            entityType: string;
            /** @description Game id */
            game: string;
            /** @description 24 hex characters */
            id: string;
            /**
             * Format: date-time
             * @description Last change, ISO 8601
             */
            lastModified: string;
            open: boolean;
            /** @description Who owns it */
            organizerId: string;
            /** @description Name */
            queueName: string;
            /** @description Region */
            region: string;
            /** @description State */
            state: string;
            adminTool: boolean;
            anticheatRequired: boolean;
            calculateElo: boolean;
            /** @description How captains are chosen */
            captainSelection: string;
            checkIn: {
                /**
                 * Format: int64
                 * @description Time to check in, seconds
                 */
                time: number;
            };
            fbiManagement: boolean;
            groupSimilar: boolean;
            joinType: {
                /**
                 * Format: int64
                 * @description Players of a party
                 */
                maxParty: number;
                party: boolean;
                premade: boolean;
                solo: boolean;
            };
            /**
             * Format: int64
             * @description Highest level
             */
            maxSkill: number;
            /**
             * Format: int64
             * @description Lowest level
             */
            minSkill: number;
            /**
             * Format: int64
             * @description Players of a match
             */
            noOfPlayers: number;
            paused: boolean;
            queueAlgorithm: {
                /** @description The algorithm */
                algorithmId: string;
                /** @description What it looks at */
                algorithmInput: string[];
                algorithmParameters: {
                    band: {
                        /**
                         * Format: int64
                         * @description Width of the band of ratings
                         */
                        value: number;
                    };
                };
                /** @description By language code */
                geoDescription: {
                    [key: string]: string;
                };
                /** @description By language code */
                geoLabel: {
                    [key: string]: string;
                };
                /** @description Its configuration */
                id: string;
                roleBasedCaptainPick: boolean;
            };
            verifiedMatching: boolean;
        };
        /** @description A queue in a list */
        QueueSummary: {
            /** @description What the queue belongs to */
            entityId: string;
            /** @description Kind of that */
            entityType: string;
            /** @description Game id */
            game: string;
            /** @description 24 hex characters */
            id: string;
            /**
             * Format: date-time
             * @description Last change, ISO 8601
             */
            lastModified: string;
            open: boolean;
            /** @description Who owns it */
            organizerId: string;
            /** @description Name */
            queueName: string;
            /** @description Region */
            region: string;
            /** @description State */
            state: string;
        };
        /** @description A page of a list */
        QueueSummaryPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["QueueSummary"][];
        };
        /** @description A player's place in a leaderboard */
        RankingEntry: {
            /**
             * Format: int64
             * @description Wins in a row
             */
            current_streak: number;
            /**
             * Format: int64
             * @description Matches drawn
             */
            draw: number;
            /**
             * Format: int64
             * @description Matches lost
             */
            lost: number;
            /**
             * Format: int64
             * @description Matches played
             */
            played: number;
            player: components["schemas"]["TeamMember"];
            /**
             * Format: int32
             * @description Points; more is better
             */
            points: number;
            /**
             * Format: int64
             * @description Place, 1-based
             */
            position: number;
            /**
             * Format: double
             * @description Part of matches won; may have a fraction
             */
            win_rate: number;
            /**
             * Format: int64
             * @description Matches won
             */
            won: number;
        };
        /** @description A player in a team of a match */
        RosterPlayer: {
            anticheat_required: boolean;
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description The player's id on the game's platform */
            game_player_id: string;
            /** @description The player's name in the game */
            game_player_name: string;
            /**
             * Format: int64
             * @description Level in the game
             */
            game_skill_level: number;
            /** @description Known: free, plus, premium, unlimited */
            membership: string;
            /** @description Nickname */
            nickname: string;
            /** @description UUID */
            player_id: string;
        };
        /** @description A season of a league */
        Season: {
            /**
             * Format: date-time
             * @description End, ISO 8601
             */
            end_date: string;
            /**
             * Format: int32
             * @description Number of the season
             */
            number: number;
            /**
             * Format: int64
             * @description Matches before a player is placed
             */
            placement_match_count: number;
            /**
             * Format: date-time
             * @description Start, ISO 8601
             */
            start_date: string;
        };
        /** @description A substitute and whether they play */
        Substitute: {
            anticheat_required: boolean;
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description The player's id on the game's platform */
            game_player_id: string;
            /** @description The player's name in the game */
            game_player_name: string;
            /**
             * Format: int64
             * @description Level in the game
             */
            game_skill_level: number;
            /** @description Known: free, plus, premium, unlimited */
            membership: string;
            /** @description Nickname */
            nickname: string;
            /** @description UUID */
            player_id: string;
            playing: boolean;
        };
        /** @description A team with its members */
        Team: {
            /** @description Omitted when there is none: URL, empty when there is none */
            avatar?: string;
            /** @description Its chat room */
            chat_room_id: string;
            /** @description Omitted when there is none: URL, empty when there is none */
            cover_image?: string;
            /** @description What the team says of itself */
            description: string;
            /** @description Page there */
            facebook?: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url?: string;
            /** @description Game id */
            game: string;
            /** @description Player id */
            leader: string;
            members: components["schemas"]["TeamMember"][];
            /** @description Name */
            name: string;
            /** @description Short name */
            nickname: string;
            /** @description UUID */
            team_id: string;
            /** @description Kind of team */
            team_type: string;
            /** @description Page there */
            twitter?: string;
            /** @description Own page */
            website?: string;
            /** @description Page there */
            youtube?: string;
        };
        /** @description A player as the member of a team or the holder of a rank */
        TeamMember: {
            /** @description Omitted when there is none: URL, empty when there is none */
            avatar?: string;
            /** @description ISO 3166-1 code */
            country: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Known: free, plus, premium, unlimited */
            membership_type: string;
            /** @description All memberships */
            memberships: string[];
            /** @description Nickname */
            nickname: string;
            /**
             * Format: int64
             * @description Level in the game
             */
            skill_level: number;
            /** @description Player id */
            user_id: string;
        };
        /** @description A page of a list */
        TeamPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["Team"][];
        };
        /** @description A team found by name */
        TeamSearchItem: {
            /** @description Avatar: URL, empty when there is none */
            avatar: string;
            /** @description Its chat room */
            chat_room_id: string;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Game id */
            game: string;
            /** @description Name */
            name: string;
            /** @description UUID */
            team_id: string;
            verified: boolean;
        };
        /** @description A page of a list */
        TeamSearchItemPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["TeamSearchItem"][];
        };
        /** @description A team's statistics in a game */
        TeamStats: {
            /** @description Game id */
            game_id: string;
            /** @description Over all matches; labels are free, numbers are texts too; "Recent Results" is a list of "0" and "1" */
            lifetime: {
                [key: string]: unknown;
            };
            /** @description By map and mode */
            segments: {
                /** @description Picture: URL, empty when there is none */
                img_regular: string;
                /** @description Small picture: URL, empty when there is none */
                img_small: string;
                /** @description Such as the name of a map */
                label: string;
                /** @description Such as 5v5 */
                mode: string;
                /** @description In this segment; labels are free, numbers are texts too */
                stats: {
                    [key: string]: string;
                };
                /** @description What the segment is: Map */
                type: string;
            }[];
            /** @description UUID */
            team_id: string;
        };
        /** @description The brackets of a tournament */
        TournamentBrackets: {
            /** @description Game id */
            game: string;
            matches: {
                /** @description Page at the service; carries a literal {lang} segment */
                platform_url: string;
                /** @description 1- and a UUID */
                match_id: string;
                /**
                 * Format: int64
                 * @description Place in the round
                 */
                position: number;
                results?: components["schemas"]["MatchResults"];
                /**
                 * Format: int64
                 * @description Round, 1-based
                 */
                round: number;
                /** @description State of the match */
                state: string;
                /** @description By faction key */
                teams: {
                    [key: string]: {
                        /** @description Avatar: URL, empty when there is none */
                        avatar: string;
                        /** @description Name */
                        nickname: string;
                        /** @description The team */
                        team_id: string;
                    };
                };
            }[];
            /** @description Name of the tournament */
            name: string;
            rounds: {
                /**
                 * Format: int64
                 * @description Games of a match at most
                 */
                best_of: number;
                /** @description Such as Final */
                label: string;
                /**
                 * Format: int64
                 * @description Matches of the round
                 */
                matches: number;
                /**
                 * Format: int64
                 * @description Round, 1-based
                 */
                round: number;
                /**
                 * Format: int64
                 * @description Start, Unix seconds
                 */
                start_time: number;
                starts_asap: boolean;
                /**
                 * Format: int64
                 * @description Time for substitutions, seconds
                 */
                substitution_time: number;
                substitutions_allowed: boolean;
            }[];
            /** @description State of the tournament */
            status: string;
        };
        /** @description A tournament; game_data and organizer_data only where they are asked for */
        TournamentDetails: {
            anticheat_required: boolean;
            custom: boolean;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Featured picture: URL, empty when there is none */
            featured_image: string;
            /** @description Game that is played */
            game_id: string;
            /** @description Who may join */
            invite_type: string;
            /** @description Kind of matches */
            match_type: string;
            /**
             * Format: int64
             * @description Highest level that may join
             */
            max_skill: number;
            /** @description Membership that is needed */
            membership_type: string;
            /**
             * Format: int64
             * @description Lowest level that may join
             */
            min_skill: number;
            /** @description Name */
            name: string;
            /**
             * Format: int64
             * @description Places for players
             */
            number_of_players: number;
            /**
             * Format: int64
             * @description Players checked in
             */
            number_of_players_checkedin: number;
            /**
             * Format: int64
             * @description Players joined
             */
            number_of_players_joined: number;
            /**
             * Format: int64
             * @description Players who take part
             */
            number_of_players_participants: number;
            /** @description Who runs it */
            organizer_id: string;
            /** @description Kind of prizes */
            prize_type: string;
            /** @description Region */
            region: string;
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            started_at: number;
            /** @description Known: created, join, started, finished, cancelled */
            status: string;
            /**
             * Format: int64
             * @description Teams subscribed
             */
            subscriptions_count: number;
            /**
             * Format: int64
             * @description Players of a team
             */
            team_size: number;
            /** @description Sum of the prizes */
            total_prize: string;
            /** @description UUID */
            tournament_id: string;
            /** @description Empty: any */
            whitelist_countries: string[];
            /**
             * Format: int64
             * @description Games of a match at most; omitted when not set
             */
            best_of?: number;
            calculate_elo: boolean;
            /** @description The competition that it is part of */
            competition_id: string;
            /** @description Cover: URL, empty when there is none */
            cover_image: string;
            /** @description What it is about */
            description: string;
            game_data?: components["schemas"]["Game"];
            organizer_data?: components["schemas"]["Organizer"];
            /** @description Rounds, as the brackets give them */
            rounds: unknown[];
            /** @description Its rules */
            rule: string;
            /**
             * Format: int64
             * @description Substitutes of a team
             */
            substitutes_allowed: number;
            /**
             * Format: int64
             * @description Substitutions of a team
             */
            substitutions_allowed: number;
            /** @description What is voted on; {} when there is none */
            voting?: {
                [key: string]: unknown;
            };
        };
        /** @description A tournament in a list */
        TournamentSummary: {
            anticheat_required: boolean;
            custom: boolean;
            /** @description Page at the service; carries a literal {lang} segment */
            platform_url: string;
            /** @description Featured picture: URL, empty when there is none */
            featured_image: string;
            /** @description Game that is played */
            game_id: string;
            /** @description Who may join */
            invite_type: string;
            /** @description Kind of matches */
            match_type: string;
            /**
             * Format: int64
             * @description Highest level that may join
             */
            max_skill: number;
            /** @description Membership that is needed */
            membership_type: string;
            /**
             * Format: int64
             * @description Lowest level that may join
             */
            min_skill: number;
            /** @description Name */
            name: string;
            /**
             * Format: int64
             * @description Places for players
             */
            number_of_players: number;
            /**
             * Format: int64
             * @description Players checked in
             */
            number_of_players_checkedin: number;
            /**
             * Format: int64
             * @description Players joined
             */
            number_of_players_joined: number;
            /**
             * Format: int64
             * @description Players who take part
             */
            number_of_players_participants: number;
            /** @description Who runs it */
            organizer_id: string;
            /** @description Kind of prizes */
            prize_type: string;
            /** @description Region */
            region: string;
            /**
             * Format: int64
             * @description Start, Unix seconds
             */
            started_at: number;
            /** @description Known: created, join, started, finished, cancelled */
            status: string;
            /**
             * Format: int64
             * @description Teams subscribed
             */
            subscriptions_count: number;
            /**
             * Format: int64
             * @description Players of a team
             */
            team_size: number;
            /** @description Sum of the prizes */
            total_prize: string;
            /** @description UUID */
            tournament_id: string;
            /** @description Empty: any */
            whitelist_countries: string[];
        };
        /** @description A page of a list */
        TournamentSummaryPage: {
            /**
             * Format: int64
             * @description Number of items before the first one
             */
            start: number;
            /**
             * Format: int64
             * @description start plus limit, also on a short page; where an operation takes no limit, start plus the number of items
             */
            end: number;
            items: components["schemas"]["TournamentSummary"][];
        };
        /** @description A team in a tournament */
        TournamentTeam: {
            /** @description Name */
            nickname: string;
            /**
             * Format: int64
             * @description Level of the team
             */
            skill_level: number;
            /**
             * Format: int32
             * @description Substitutions done
             */
            subs_done: number;
            /** @description UUID */
            team_id: string;
            /** @description Player id */
            team_leader: string;
            /** @description Kind of team */
            team_type: string;
        };
        /** @description Teams of a tournament by how far they are */
        TournamentTeams: {
            checked_in: components["schemas"]["TournamentTeam"][];
            finished: components["schemas"]["TournamentTeam"][];
            joined: components["schemas"]["TournamentTeam"][];
            started: components["schemas"]["TournamentTeam"][];
        };
    };
    responses: {
        /** @description Not modified: the client has this response already (If-None-Match) */
        NotModified: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                etag: components["headers"]["etag"];
                "cache-control": components["headers"]["cache-control"];
                vary: components["headers"]["vary"];
                [name: string]: unknown;
            };
            content?: never;
        };
        /** @description The request is invalid. Correct the named field and send the request again. */
        BadRequest: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The request is invalid. Correct the named field and send the request again.",
                 *           "code": "err_br0",
                 *           "http_status": 400,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>. */
        Unauthorized: {
            headers: {
                "www-authenticate": components["headers"]["www-authenticate"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The credential is missing or invalid. Send a valid key or token in the header Authorization: Bearer <key>.",
                 *           "code": "err_u0",
                 *           "http_status": 401,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description Your role, or the scope of your key, does not allow this operation. */
        Forbidden: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "Your role, or the scope of your key, does not allow this operation.",
                 *           "code": "err_f0",
                 *           "http_status": 403,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description Not found. Check the path and the identifiers in it. */
        NotFound: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "Not found. Check the path and the identifiers in it.",
                 *           "code": "err_nf0",
                 *           "http_status": 404,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description The request took too long to arrive. Send it again. */
        RequestTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The request took too long to arrive. Send it again.",
                 *           "code": "err_t0",
                 *           "http_status": 408,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description The body is larger than this operation takes. Send a smaller body. */
        PayloadTooLarge: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The body is larger than this operation takes. Send a smaller body.",
                 *           "code": "err_p0",
                 *           "http_status": 413,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description You have exceeded your request rate. Wait for the time in Retry-After, then send the request again. */
        TooManyRequests: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "You have exceeded your request rate. Wait for the time in Retry-After, then send the request again.",
                 *           "code": "err_rl0",
                 *           "http_status": 429,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description The request line and the headers are too large. Send a shorter address, or fewer or shorter headers. */
        HeadersTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The request line and the headers are too large. Send a shorter address, or fewer or shorter headers.",
                 *           "code": "err_h0",
                 *           "http_status": 431,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description An internal error occurred. Retry later; if the problem persists, quote the request id. */
        InternalError: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "An internal error occurred. Retry later; if the problem persists, quote the request id.",
                 *           "code": "err_i0",
                 *           "http_status": 500,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
        /** @description The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id. */
        Unavailable: {
            headers: {
                "ratelimit-limit": components["headers"]["ratelimit-limit"];
                "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                "ratelimit-reset": components["headers"]["ratelimit-reset"];
                "retry-after": components["headers"]["retry-after"];
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "errors": [
                 *         {
                 *           "message": "The service is temporarily unavailable. Retry after the time in Retry-After, an event with the same id.",
                 *           "code": "err_un0",
                 *           "http_status": 503,
                 *           "parameters": []
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": components["schemas"]["DataError"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: {
        /** @description Requests per second of this key, such as 10, 10;w=1 */
        "ratelimit-limit": string;
        /** @description Requests left now */
        "ratelimit-remaining": number;
        /** @description Seconds until the full allowance is available again */
        "ratelimit-reset": number;
        /** @description Seconds to wait before a retry */
        "retry-after": number;
        /** @description Bearer */
        "www-authenticate": string;
        /** @description Strong; send it back in If-None-Match */
        etag: string;
        /** @description For how many seconds the client may cache the response */
        "cache-control": string;
        /** @description accept-encoding, authorization: a response is that of one key */
        vary: string;
        /** @description The pages rel="next", by cursor, and rel="prev", where they exist; relative to the host */
        link: string;
        /** @description Since when the operation is deprecated, as @ and Unix seconds (RFC 9745) */
        deprecation: string;
    };
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getChampionships: {
        parameters: {
            query: {
                /** @description Game id */
                game: string;
                /** @description Only championships in this state */
                type?: "all" | "upcoming" | "ongoing" | "past";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Championships of a game */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "background_image": "https://assets.podium.example/picture.jpg",
                     *           "championship_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "championship_start": 1767225600000,
                     *           "checkin_clear": 1767225600000,
                     *           "checkin_enabled": false,
                     *           "checkin_start": 1767225600000,
                     *           "cover_image": "https://assets.podium.example/picture.jpg",
                     *           "current_subscriptions": 1,
                     *           "description": "Open to all",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured": false,
                     *           "full": false,
                     *           "game_data": {
                     *             "assets": {
                     *               "cover": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *               "landing_page": "https://assets.podium.example/picture.jpg"
                     *             },
                     *             "game_id": "cs2",
                     *             "long_label": "Counter-Strike 2",
                     *             "order": 1,
                     *             "parent_game_id": "cs2",
                     *             "platforms": [
                     *               "steam"
                     *             ],
                     *             "regions": [
                     *               "EU"
                     *             ],
                     *             "short_label": "CS2"
                     *           },
                     *           "game_id": "cs2",
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "join_checks": {
                     *             "allowed_team_types": [
                     *               ""
                     *             ],
                     *             "blacklist_geo_countries": [
                     *               ""
                     *             ],
                     *             "join_policy": "",
                     *             "max_skill_level": 10,
                     *             "membership_type": "",
                     *             "min_skill_level": 1,
                     *             "whitelist_geo_countries": [
                     *               ""
                     *             ],
                     *             "whitelist_geo_countries_min_players": 1
                     *           },
                     *           "name": "Winter Cup",
                     *           "organizer_data": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "description": "Open to all",
                     *             "facebook": "",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "followers_count": 1200,
                     *             "name": "Winter Cup",
                     *             "organizer_id": "podium",
                     *             "twitch": "",
                     *             "twitter": "",
                     *             "type": "organization",
                     *             "vk": "",
                     *             "website": "",
                     *             "youtube": ""
                     *           },
                     *           "organizer_id": "podium",
                     *           "prizes": [
                     *             {
                     *               "platform_points": 1,
                     *               "rank": 1
                     *             }
                     *           ],
                     *           "region": "EU",
                     *           "rules_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "schedule": {
                     *             "1": {
                     *               "date": 1767225600000,
                     *               "status": "finished"
                     *             }
                     *           },
                     *           "screening": {
                     *             "enabled": false,
                     *             "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "seeding_strategy": "",
                     *           "slots": 64,
                     *           "status": "join",
                     *           "stream": {
                     *             "active": true,
                     *             "platform": "",
                     *             "source": "",
                     *             "title": ""
                     *           },
                     *           "subscription_end": 1767225600000,
                     *           "subscription_start": 1767225600000,
                     *           "subscriptions_locked": false,
                     *           "substitution_configuration": {
                     *             "max_substitutes": 1,
                     *             "max_substitutions": 1
                     *           },
                     *           "total_groups": 1,
                     *           "total_prizes": 1,
                     *           "total_rounds": 1,
                     *           "type": "bracket"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChampionshipPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionship: {
        parameters: {
            query?: {
                /** @description Adds organizer_data, game_data */
                expanded?: ("organizer" | "game")[];
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Championship details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "anticheat_required": false,
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "background_image": "https://assets.podium.example/picture.jpg",
                     *       "championship_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "championship_start": 1767225600000,
                     *       "checkin_clear": 1767225600000,
                     *       "checkin_enabled": false,
                     *       "checkin_start": 1767225600000,
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "current_subscriptions": 1,
                     *       "description": "Open to all",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "featured": false,
                     *       "full": false,
                     *       "game_data": {
                     *         "assets": {
                     *           "cover": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *           "landing_page": "https://assets.podium.example/picture.jpg"
                     *         },
                     *         "game_id": "cs2",
                     *         "long_label": "Counter-Strike 2",
                     *         "order": 1,
                     *         "parent_game_id": "cs2",
                     *         "platforms": [
                     *           "steam"
                     *         ],
                     *         "regions": [
                     *           "EU"
                     *         ],
                     *         "short_label": "CS2"
                     *       },
                     *       "game_id": "cs2",
                     *       "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "join_checks": {
                     *         "allowed_team_types": [
                     *           ""
                     *         ],
                     *         "blacklist_geo_countries": [
                     *           ""
                     *         ],
                     *         "join_policy": "",
                     *         "max_skill_level": 10,
                     *         "membership_type": "",
                     *         "min_skill_level": 1,
                     *         "whitelist_geo_countries": [
                     *           ""
                     *         ],
                     *         "whitelist_geo_countries_min_players": 1
                     *       },
                     *       "name": "Winter Cup",
                     *       "organizer_data": {
                     *         "avatar": "https://assets.podium.example/picture.jpg",
                     *         "cover": "https://assets.podium.example/picture.jpg",
                     *         "description": "Open to all",
                     *         "facebook": "",
                     *         "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *         "followers_count": 1200,
                     *         "name": "Winter Cup",
                     *         "organizer_id": "podium",
                     *         "twitch": "",
                     *         "twitter": "",
                     *         "type": "organization",
                     *         "vk": "",
                     *         "website": "",
                     *         "youtube": ""
                     *       },
                     *       "organizer_id": "podium",
                     *       "prizes": [
                     *         {
                     *           "platform_points": 1,
                     *           "rank": 1
                     *         }
                     *       ],
                     *       "region": "EU",
                     *       "rules_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "schedule": {
                     *         "1": {
                     *           "date": 1767225600000,
                     *           "status": "finished"
                     *         }
                     *       },
                     *       "screening": {
                     *         "enabled": false,
                     *         "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *       },
                     *       "seeding_strategy": "",
                     *       "slots": 64,
                     *       "status": "join",
                     *       "stream": {
                     *         "active": true,
                     *         "platform": "",
                     *         "source": "",
                     *         "title": ""
                     *       },
                     *       "subscription_end": 1767225600000,
                     *       "subscription_start": 1767225600000,
                     *       "subscriptions_locked": false,
                     *       "substitution_configuration": {
                     *         "max_substitutes": 1,
                     *         "max_substitutions": 1
                     *       },
                     *       "total_groups": 1,
                     *       "total_prizes": 1,
                     *       "total_rounds": 1,
                     *       "type": "bracket"
                     *     }
                     */
                    "application/json": components["schemas"]["Championship"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionshipMatches: {
        parameters: {
            query?: {
                /** @description Only matches in this state */
                type?: "all" | "upcoming" | "ongoing" | "past";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matches of a championship */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "best_of": 3,
                     *           "broadcast_start_time": 1767225600,
                     *           "broadcast_start_time_label": "",
                     *           "calculate_elo": true,
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_name": "Winter Cup",
                     *           "competition_type": "championship",
                     *           "configured_at": 1767225600,
                     *           "demo_url": [
                     *             "https://demos.podium.example/demo.dem.gz"
                     *           ],
                     *           "detailed_results": [
                     *             {
                     *               "asc_score": false,
                     *               "factions": {
                     *                 "faction1": {
                     *                   "score": 1
                     *                 },
                     *                 "faction2": {
                     *                   "score": 1
                     *                 }
                     *               },
                     *               "winner": "faction1"
                     *             }
                     *           ],
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "finished_at": 1767225600,
                     *           "game": "cs2",
                     *           "group": 1,
                     *           "instances": [
                     *             {
                     *               "demos": [
                     *                 "https://demos.podium.example/demo.dem.gz"
                     *               ],
                     *               "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "round": 1
                     *             }
                     *           ],
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "organizer_id": "podium",
                     *           "region": "EU",
                     *           "results": {
                     *             "score": {
                     *               "faction1": 1,
                     *               "faction2": 1
                     *             },
                     *             "winner": "faction1"
                     *           },
                     *           "round": 1,
                     *           "scheduled_at": 1767225600,
                     *           "started_at": 1767225600,
                     *           "status": "SCHEDULED",
                     *           "teams": {
                     *             "faction1": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             },
                     *             "faction2": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             }
                     *           },
                     *           "version": 1,
                     *           "voting": {
                     *             "location": {},
                     *             "map": {},
                     *             "voted_entity_types": [
                     *               ""
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MatchPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionshipResults: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Results of a championship */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "bounds": {
                     *             "left": 1,
                     *             "right": 1
                     *           },
                     *           "placements": [
                     *             {
                     *               "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "type": "bracket"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChampionshipResultPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionshipSubscriptions: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Subscriptions of a championship */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "coach": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "coleader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "group": 1,
                     *           "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "roster": [
                     *             ""
                     *           ],
                     *           "status": "finished",
                     *           "substitutes": [
                     *             ""
                     *           ],
                     *           "team": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *             "cover_image": "https://assets.podium.example/picture.jpg",
                     *             "description": "Open to all",
                     *             "facebook": "",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "game": "cs2",
                     *             "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *             "members": [
                     *               {
                     *                 "avatar": "https://assets.podium.example/picture.jpg",
                     *                 "country": "de",
                     *                 "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *                 "membership_type": "free",
                     *                 "memberships": [
                     *                   "free"
                     *                 ],
                     *                 "nickname": "night-owl",
                     *                 "skill_level": 8,
                     *                 "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *               }
                     *             ],
                     *             "name": "Winter Cup",
                     *             "nickname": "night-owl",
                     *             "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *             "team_type": "",
                     *             "twitter": "",
                     *             "website": "",
                     *             "youtube": ""
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChampionshipSubscriptionPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getAllGames: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All games */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "assets": {
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *             "landing_page": "https://assets.podium.example/picture.jpg"
                     *           },
                     *           "game_id": "cs2",
                     *           "long_label": "Counter-Strike 2",
                     *           "order": 1,
                     *           "parent_game_id": "cs2",
                     *           "platforms": [
                     *             "steam"
                     *           ],
                     *           "regions": [
                     *             "EU"
                     *           ],
                     *           "short_label": "CS2"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GamePage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGameMatchmakings: {
        parameters: {
            query?: {
                /** @description Only those of this region */
                region?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matchmakings of a game */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "game": "cs2",
                     *           "has_league": false,
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "name": "Winter Cup",
                     *           "region": "EU"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MatchmakingListItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Game details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "assets": {
                     *         "cover": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *         "landing_page": "https://assets.podium.example/picture.jpg"
                     *       },
                     *       "game_id": "cs2",
                     *       "long_label": "Counter-Strike 2",
                     *       "order": 1,
                     *       "parent_game_id": "cs2",
                     *       "platforms": [
                     *         "steam"
                     *       ],
                     *       "regions": [
                     *         "EU"
                     *       ],
                     *       "short_label": "CS2"
                     *     }
                     */
                    "application/json": components["schemas"]["Game"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getParentGame: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Parent game of a region-specific game */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "assets": {
                     *         "cover": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *         "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *         "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *         "landing_page": "https://assets.podium.example/picture.jpg"
                     *       },
                     *       "game_id": "cs2",
                     *       "long_label": "Counter-Strike 2",
                     *       "order": 1,
                     *       "parent_game_id": "cs2",
                     *       "platforms": [
                     *         "steam"
                     *       ],
                     *       "regions": [
                     *         "EU"
                     *       ],
                     *       "short_label": "CS2"
                     *     }
                     */
                    "application/json": components["schemas"]["Game"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatchmaking: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Matchmaking */
                matchmaking_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matchmaking details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game": "cs2",
                     *       "icon": "https://assets.podium.example/picture.jpg",
                     *       "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "league_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "long_description": "",
                     *       "name": "Winter Cup",
                     *       "queues": [
                     *         {
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "name": "Winter Cup",
                     *           "open": true,
                     *           "organizer_id": "podium",
                     *           "paused": false
                     *         }
                     *       ],
                     *       "region": "EU",
                     *       "short_description": ""
                     *     }
                     */
                    "application/json": components["schemas"]["Matchmaking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQueuesByEntityFilters: {
        parameters: {
            query: {
                /** @description Type of the entity that owns the queues */
                entity_type: string;
                /** @description Id of the entity that owns the queues */
                entity_id: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queues by filters */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "entityId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "entityType": "hub",
                     *           "game": "cs2",
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "lastModified": "2026-01-01T00:00:00Z",
                     *           "open": true,
                     *           "organizerId": "podium",
                     *           "queueName": "Winter Cup queue",
                     *           "region": "EU",
                     *           "state": "OPEN"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["QueueSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQueueById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
                /** @description Queue, 24 hex characters */
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queue details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "entityId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "entityType": "hub",
                     *       "game": "cs2",
                     *       "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "lastModified": "2026-01-01T00:00:00Z",
                     *       "open": true,
                     *       "organizerId": "podium",
                     *       "queueName": "Winter Cup queue",
                     *       "region": "EU",
                     *       "state": "OPEN",
                     *       "adminTool": false,
                     *       "anticheatRequired": false,
                     *       "calculateElo": true,
                     *       "captainSelection": "random",
                     *       "checkIn": {
                     *         "time": 1
                     *       },
                     *       "fbiManagement": false,
                     *       "groupSimilar": false,
                     *       "joinType": {
                     *         "maxParty": 1,
                     *         "party": true,
                     *         "premade": false,
                     *         "solo": true
                     *       },
                     *       "maxSkill": 1,
                     *       "minSkill": 1,
                     *       "noOfPlayers": 1,
                     *       "paused": false,
                     *       "queueAlgorithm": {
                     *         "algorithmId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "algorithmInput": [
                     *           ""
                     *         ],
                     *         "algorithmParameters": {
                     *           "band": {
                     *             "value": 1
                     *           }
                     *         },
                     *         "geoDescription": {
                     *           "en": ""
                     *         },
                     *         "geoLabel": {
                     *           "en": ""
                     *         },
                     *         "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "roleBasedCaptainPick": false
                     *       },
                     *       "verifiedMatching": false
                     *     }
                     */
                    "application/json": components["schemas"]["QueueDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQueueBans: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
                /** @description Queue, 24 hex characters */
                queue_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queue bans */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "banEnd": "2026-01-01T00:00:00Z",
                     *           "banId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "banStart": "2026-01-01T00:00:00Z",
                     *           "createdAt": "2026-01-01T00:00:00Z",
                     *           "entityId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "entityType": "hub",
                     *           "expired": false,
                     *           "lastModified": "2026-01-01T00:00:00Z",
                     *           "nickname": "night-owl",
                     *           "organizerId": "podium",
                     *           "queueId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "reason": "",
                     *           "type": "bracket",
                     *           "userId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "version": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["QueueBanPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getQueuesByRegion: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
                /** @description Region of the game */
                region_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Queues by region */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "entityId": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "entityType": "hub",
                     *           "game": "cs2",
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "lastModified": "2026-01-01T00:00:00Z",
                     *           "open": true,
                     *           "organizerId": "podium",
                     *           "queueName": "Winter Cup queue",
                     *           "region": "EU",
                     *           "state": "OPEN"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["QueueSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHub: {
        parameters: {
            query?: {
                /** @description Adds organizer_data, game_data */
                expanded?: ("organizer" | "game")[];
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hub details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "background_image": "https://assets.podium.example/picture.jpg",
                     *       "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "description": "Open to all",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "game_data": {
                     *         "assets": {
                     *           "cover": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *           "landing_page": "https://assets.podium.example/picture.jpg"
                     *         },
                     *         "game_id": "cs2",
                     *         "long_label": "Counter-Strike 2",
                     *         "order": 1,
                     *         "parent_game_id": "cs2",
                     *         "platforms": [
                     *           "steam"
                     *         ],
                     *         "regions": [
                     *           "EU"
                     *         ],
                     *         "short_label": "CS2"
                     *       },
                     *       "game_id": "cs2",
                     *       "hub_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "join_permission": "PUBLIC",
                     *       "max_skill_level": 10,
                     *       "min_skill_level": 1,
                     *       "name": "Winter Cup",
                     *       "organizer_data": {
                     *         "avatar": "https://assets.podium.example/picture.jpg",
                     *         "cover": "https://assets.podium.example/picture.jpg",
                     *         "description": "Open to all",
                     *         "facebook": "",
                     *         "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *         "followers_count": 1200,
                     *         "name": "Winter Cup",
                     *         "organizer_id": "podium",
                     *         "twitch": "",
                     *         "twitter": "",
                     *         "type": "organization",
                     *         "vk": "",
                     *         "website": "",
                     *         "youtube": ""
                     *       },
                     *       "organizer_id": "podium",
                     *       "players_joined": 1,
                     *       "region": "EU",
                     *       "rule_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *     }
                     */
                    "application/json": components["schemas"]["Hub"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubMatches: {
        parameters: {
            query?: {
                /** @description Only matches in this state */
                type?: "all" | "upcoming" | "ongoing" | "past";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matches of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "best_of": 3,
                     *           "broadcast_start_time": 1767225600,
                     *           "broadcast_start_time_label": "",
                     *           "calculate_elo": true,
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_name": "Winter Cup",
                     *           "competition_type": "championship",
                     *           "configured_at": 1767225600,
                     *           "demo_url": [
                     *             "https://demos.podium.example/demo.dem.gz"
                     *           ],
                     *           "detailed_results": [
                     *             {
                     *               "asc_score": false,
                     *               "factions": {
                     *                 "faction1": {
                     *                   "score": 1
                     *                 },
                     *                 "faction2": {
                     *                   "score": 1
                     *                 }
                     *               },
                     *               "winner": "faction1"
                     *             }
                     *           ],
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "finished_at": 1767225600,
                     *           "game": "cs2",
                     *           "group": 1,
                     *           "instances": [
                     *             {
                     *               "demos": [
                     *                 "https://demos.podium.example/demo.dem.gz"
                     *               ],
                     *               "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "round": 1
                     *             }
                     *           ],
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "organizer_id": "podium",
                     *           "region": "EU",
                     *           "results": {
                     *             "score": {
                     *               "faction1": 1,
                     *               "faction2": 1
                     *             },
                     *             "winner": "faction1"
                     *           },
                     *           "round": 1,
                     *           "scheduled_at": 1767225600,
                     *           "started_at": 1767225600,
                     *           "status": "SCHEDULED",
                     *           "teams": {
                     *             "faction1": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             },
                     *             "faction2": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             }
                     *           },
                     *           "version": 1,
                     *           "voting": {
                     *             "location": {},
                     *             "map": {},
                     *             "voted_entity_types": [
                     *               ""
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MatchPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubMembers: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Members of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "nickname": "night-owl",
                     *           "roles": [
                     *             ""
                     *           ],
                     *           "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HubMemberPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubRoles: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Roles of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "color": "#ff5500",
                     *           "name": "Winter Cup",
                     *           "ranking": 1,
                     *           "role_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "visible_on_chat": false
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HubRolePage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubStats: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statistics of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game_id": "cs2",
                     *       "players": [
                     *         {
                     *           "nickname": "night-owl",
                     *           "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "stats": {
                     *             "Kills": "21",
                     *             "Deaths": "14"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HubStats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubRules: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Rules of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "body": "",
                     *       "game": "cs2",
                     *       "name": "Winter Cup",
                     *       "organizer": "",
                     *       "rule_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *     }
                     */
                    "application/json": components["schemas"]["HubRules"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionshipLeaderboards: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Leaderboards of a championship */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_type": "championship",
                     *           "end_date": 1767225600,
                     *           "game_id": "cs2",
                     *           "group": 1,
                     *           "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *           "leaderboard_mode": "classic",
                     *           "leaderboard_name": "Winter Cup, group 1",
                     *           "leaderboard_type": "championship",
                     *           "min_matches": 1,
                     *           "points_per_draw": 1,
                     *           "points_per_loss": 1,
                     *           "points_per_win": 1,
                     *           "points_type": "flat",
                     *           "ranking_boost": 1,
                     *           "ranking_type": "team",
                     *           "region": "EU",
                     *           "round": 1,
                     *           "season": 1,
                     *           "start_date": 1767225600,
                     *           "starting_points": 1,
                     *           "status": "ONGOING"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getChampionshipGroupRanking: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Championship, a UUID */
                championship_id: string;
                /** @description Number of the group */
                group: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Group ranking of a championship */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "current_streak": 1,
                     *           "draw": 1,
                     *           "lost": 1,
                     *           "played": 1,
                     *           "player": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "country": "de",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "membership_type": "free",
                     *             "memberships": [
                     *               "free"
                     *             ],
                     *             "nickname": "night-owl",
                     *             "skill_level": 8,
                     *             "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "points": 1250,
                     *           "position": 1,
                     *           "win_rate": 0.625,
                     *           "won": 1
                     *         }
                     *       ],
                     *       "leaderboard": {
                     *         "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "competition_type": "championship",
                     *         "end_date": 1767225600,
                     *         "game_id": "cs2",
                     *         "group": 1,
                     *         "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *         "leaderboard_mode": "classic",
                     *         "leaderboard_name": "Winter Cup, group 1",
                     *         "leaderboard_type": "championship",
                     *         "min_matches": 1,
                     *         "points_per_draw": 1,
                     *         "points_per_loss": 1,
                     *         "points_per_win": 1,
                     *         "points_type": "flat",
                     *         "ranking_boost": 1,
                     *         "ranking_type": "team",
                     *         "region": "EU",
                     *         "round": 1,
                     *         "season": 1,
                     *         "start_date": 1767225600,
                     *         "starting_points": 1,
                     *         "status": "ONGOING"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardRanking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubLeaderboards: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Leaderboards of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_type": "championship",
                     *           "end_date": 1767225600,
                     *           "game_id": "cs2",
                     *           "group": 1,
                     *           "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *           "leaderboard_mode": "classic",
                     *           "leaderboard_name": "Winter Cup, group 1",
                     *           "leaderboard_type": "championship",
                     *           "min_matches": 1,
                     *           "points_per_draw": 1,
                     *           "points_per_loss": 1,
                     *           "points_per_win": 1,
                     *           "points_type": "flat",
                     *           "ranking_boost": 1,
                     *           "ranking_type": "team",
                     *           "region": "EU",
                     *           "round": 1,
                     *           "season": 1,
                     *           "start_date": 1767225600,
                     *           "starting_points": 1,
                     *           "status": "ONGOING"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubRanking: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All-time ranking of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "current_streak": 1,
                     *           "draw": 1,
                     *           "lost": 1,
                     *           "played": 1,
                     *           "player": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "country": "de",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "membership_type": "free",
                     *             "memberships": [
                     *               "free"
                     *             ],
                     *             "nickname": "night-owl",
                     *             "skill_level": 8,
                     *             "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "points": 1250,
                     *           "position": 1,
                     *           "win_rate": 0.625,
                     *           "won": 1
                     *         }
                     *       ],
                     *       "leaderboard": {
                     *         "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "competition_type": "championship",
                     *         "end_date": 1767225600,
                     *         "game_id": "cs2",
                     *         "group": 1,
                     *         "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *         "leaderboard_mode": "classic",
                     *         "leaderboard_name": "Winter Cup, group 1",
                     *         "leaderboard_type": "championship",
                     *         "min_matches": 1,
                     *         "points_per_draw": 1,
                     *         "points_per_loss": 1,
                     *         "points_per_win": 1,
                     *         "points_type": "flat",
                     *         "ranking_boost": 1,
                     *         "ranking_type": "team",
                     *         "region": "EU",
                     *         "round": 1,
                     *         "season": 1,
                     *         "start_date": 1767225600,
                     *         "starting_points": 1,
                     *         "status": "ONGOING"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardRanking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHubSeasonRanking: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Hub, a UUID */
                hub_id: string;
                /** @description Number of the season */
                season: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Seasonal ranking of a hub */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "current_streak": 1,
                     *           "draw": 1,
                     *           "lost": 1,
                     *           "played": 1,
                     *           "player": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "country": "de",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "membership_type": "free",
                     *             "memberships": [
                     *               "free"
                     *             ],
                     *             "nickname": "night-owl",
                     *             "skill_level": 8,
                     *             "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "points": 1250,
                     *           "position": 1,
                     *           "win_rate": 0.625,
                     *           "won": 1
                     *         }
                     *       ],
                     *       "leaderboard": {
                     *         "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "competition_type": "championship",
                     *         "end_date": 1767225600,
                     *         "game_id": "cs2",
                     *         "group": 1,
                     *         "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *         "leaderboard_mode": "classic",
                     *         "leaderboard_name": "Winter Cup, group 1",
                     *         "leaderboard_type": "championship",
                     *         "min_matches": 1,
                     *         "points_per_draw": 1,
                     *         "points_per_loss": 1,
                     *         "points_per_win": 1,
                     *         "points_type": "flat",
                     *         "ranking_boost": 1,
                     *         "ranking_type": "team",
                     *         "region": "EU",
                     *         "round": 1,
                     *         "season": 1,
                     *         "start_date": 1767225600,
                     *         "starting_points": 1,
                     *         "status": "ONGOING"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardRanking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Leaderboard, 24 hex characters */
                leaderboard_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ranking of a leaderboard */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "current_streak": 1,
                     *           "draw": 1,
                     *           "lost": 1,
                     *           "played": 1,
                     *           "player": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "country": "de",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "membership_type": "free",
                     *             "memberships": [
                     *               "free"
                     *             ],
                     *             "nickname": "night-owl",
                     *             "skill_level": 8,
                     *             "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "points": 1250,
                     *           "position": 1,
                     *           "win_rate": 0.625,
                     *           "won": 1
                     *         }
                     *       ],
                     *       "leaderboard": {
                     *         "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *         "competition_type": "championship",
                     *         "end_date": 1767225600,
                     *         "game_id": "cs2",
                     *         "group": 1,
                     *         "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *         "leaderboard_mode": "classic",
                     *         "leaderboard_name": "Winter Cup, group 1",
                     *         "leaderboard_type": "championship",
                     *         "min_matches": 1,
                     *         "points_per_draw": 1,
                     *         "points_per_loss": 1,
                     *         "points_per_win": 1,
                     *         "points_type": "flat",
                     *         "ranking_boost": 1,
                     *         "ranking_type": "team",
                     *         "region": "EU",
                     *         "round": 1,
                     *         "season": 1,
                     *         "start_date": 1767225600,
                     *         "starting_points": 1,
                     *         "status": "ONGOING"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeaderboardRanking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerRankingInLeaderboard: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Leaderboard, 24 hex characters */
                leaderboard_id: string;
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Ranking of a player in a leaderboard */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "current_streak": 1,
                     *       "draw": 1,
                     *       "lost": 1,
                     *       "played": 1,
                     *       "player": {
                     *         "avatar": "https://assets.podium.example/picture.jpg",
                     *         "country": "de",
                     *         "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *         "membership_type": "free",
                     *         "memberships": [
                     *           "free"
                     *         ],
                     *         "nickname": "night-owl",
                     *         "skill_level": 8,
                     *         "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *       },
                     *       "points": 1250,
                     *       "position": 1,
                     *       "win_rate": 0.625,
                     *       "won": 1
                     *     }
                     */
                    "application/json": components["schemas"]["RankingEntry"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLeagueById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description League */
                league_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description League details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "divisions": [
                     *         {
                     *           "assets": {
                     *             "color": "#ff5500",
                     *             "icon": "https://assets.podium.example/picture.jpg",
                     *             "image": "https://assets.podium.example/picture.jpg"
                     *           },
                     *           "config_type": "",
                     *           "leaderboard_config": {
                     *             "max_players": 10,
                     *             "points_per_loss": 1,
                     *             "points_per_win": 1,
                     *             "promotion": {
                     *               "points": 1250
                     *             },
                     *             "relegation": {
                     *               "consecutive_losses": 1
                     *             },
                     *             "starting_points": 1
                     *           },
                     *           "leaderboards": [
                     *             "65a1b2c3d4e5f60718293a4b"
                     *           ],
                     *           "max_elo": 1,
                     *           "min_elo": 1,
                     *           "name": "Winter Cup",
                     *           "tiers": [
                     *             {
                     *               "name": "Winter Cup",
                     *               "points_target": 1,
                     *               "rank": 1
                     *             }
                     *           ],
                     *           "type": "bracket"
                     *         }
                     *       ],
                     *       "game": "cs2",
                     *       "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "min_matches": 1,
                     *       "region": "EU",
                     *       "season": {
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "number": 1,
                     *         "placement_match_count": 1,
                     *         "start_date": "2026-01-01T00:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["League"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLeagueSeason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description League */
                league_id: string;
                /** @description Number of the season */
                season_id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Season of a league */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "divisions": [
                     *         {
                     *           "assets": {
                     *             "color": "#ff5500",
                     *             "icon": "https://assets.podium.example/picture.jpg",
                     *             "image": "https://assets.podium.example/picture.jpg"
                     *           },
                     *           "config_type": "",
                     *           "leaderboard_config": {
                     *             "max_players": 10,
                     *             "points_per_loss": 1,
                     *             "points_per_win": 1,
                     *             "promotion": {
                     *               "points": 1250
                     *             },
                     *             "relegation": {
                     *               "consecutive_losses": 1
                     *             },
                     *             "starting_points": 1
                     *           },
                     *           "leaderboards": [
                     *             "65a1b2c3d4e5f60718293a4b"
                     *           ],
                     *           "max_elo": 1,
                     *           "min_elo": 1,
                     *           "name": "Winter Cup",
                     *           "tiers": [
                     *             {
                     *               "name": "Winter Cup",
                     *               "points_target": 1,
                     *               "rank": 1
                     *             }
                     *           ],
                     *           "type": "bracket"
                     *         }
                     *       ],
                     *       "season": {
                     *         "end_date": "2026-01-01T00:00:00Z",
                     *         "number": 1,
                     *         "placement_match_count": 1,
                     *         "start_date": "2026-01-01T00:00:00Z"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["LeagueSeason"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerForLeagueSeason: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description League */
                league_id: string;
                /** @description Number of the season */
                season_id: number;
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Player in a league season */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "division_name": "",
                     *       "division_tier": "",
                     *       "division_type": "",
                     *       "leaderboard_id": "65a1b2c3d4e5f60718293a4b",
                     *       "points": 1250,
                     *       "position": 1
                     *     }
                     */
                    "application/json": components["schemas"]["LeaguePlayer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Match, 1- and a UUID */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Match details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "best_of": 3,
                     *       "broadcast_start_time": 1767225600,
                     *       "broadcast_start_time_label": "",
                     *       "calculate_elo": true,
                     *       "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "competition_name": "Winter Cup",
                     *       "competition_type": "championship",
                     *       "configured_at": 1767225600,
                     *       "demo_url": [
                     *         "https://demos.podium.example/demo.dem.gz"
                     *       ],
                     *       "detailed_results": [
                     *         {
                     *           "asc_score": false,
                     *           "factions": {
                     *             "faction1": {
                     *               "score": 1
                     *             },
                     *             "faction2": {
                     *               "score": 1
                     *             }
                     *           },
                     *           "winner": "faction1"
                     *         }
                     *       ],
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "finished_at": 1767225600,
                     *       "game": "cs2",
                     *       "group": 1,
                     *       "instances": [
                     *         {
                     *           "demos": [
                     *             "https://demos.podium.example/demo.dem.gz"
                     *           ],
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "round": 1
                     *         }
                     *       ],
                     *       "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *       "organizer_id": "podium",
                     *       "region": "EU",
                     *       "results": {
                     *         "score": {
                     *           "faction1": 1,
                     *           "faction2": 1
                     *         },
                     *         "winner": "faction1"
                     *       },
                     *       "round": 1,
                     *       "scheduled_at": 1767225600,
                     *       "started_at": 1767225600,
                     *       "status": "SCHEDULED",
                     *       "teams": {
                     *         "faction1": {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "name": "Winter Cup",
                     *           "roster": [
                     *             {
                     *               "anticheat_required": false,
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "game_player_id": "76561198000000000",
                     *               "game_player_name": "Night Owl",
                     *               "game_skill_level": 8,
                     *               "membership": "free",
                     *               "nickname": "night-owl",
                     *               "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *             }
                     *           ],
                     *           "roster_v1": null,
                     *           "stats": {
                     *             "rating": 2080,
                     *             "skillLevel": {
                     *               "average": 1,
                     *               "range": {
                     *                 "max": 1,
                     *                 "min": 1
                     *               }
                     *             },
                     *             "winProbability": 50
                     *           },
                     *           "substituted": false,
                     *           "substitutes": [
                     *             {
                     *               "anticheat_required": false,
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "game_player_id": "76561198000000000",
                     *               "game_player_name": "Night Owl",
                     *               "game_skill_level": 8,
                     *               "membership": "free",
                     *               "nickname": "night-owl",
                     *               "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "playing": false
                     *             }
                     *           ],
                     *           "type": "bracket"
                     *         },
                     *         "faction2": {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "name": "Winter Cup",
                     *           "roster": [
                     *             {
                     *               "anticheat_required": false,
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "game_player_id": "76561198000000000",
                     *               "game_player_name": "Night Owl",
                     *               "game_skill_level": 8,
                     *               "membership": "free",
                     *               "nickname": "night-owl",
                     *               "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *             }
                     *           ],
                     *           "roster_v1": null,
                     *           "stats": {
                     *             "rating": 2080,
                     *             "skillLevel": {
                     *               "average": 1,
                     *               "range": {
                     *                 "max": 1,
                     *                 "min": 1
                     *               }
                     *             },
                     *             "winProbability": 50
                     *           },
                     *           "substituted": false,
                     *           "substitutes": [
                     *             {
                     *               "anticheat_required": false,
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "game_player_id": "76561198000000000",
                     *               "game_player_name": "Night Owl",
                     *               "game_skill_level": 8,
                     *               "membership": "free",
                     *               "nickname": "night-owl",
                     *               "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "playing": false
                     *             }
                     *           ],
                     *           "type": "bracket"
                     *         }
                     *       },
                     *       "version": 1,
                     *       "voting": {
                     *         "location": {},
                     *         "map": {},
                     *         "voted_entity_types": [
                     *           ""
                     *         ]
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Match"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMatchStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Match, 1- and a UUID */
                match_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Match statistics */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rounds": [
                     *         {
                     *           "best_of": "1",
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "game_id": "cs2",
                     *           "game_mode": "5v5",
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "match_round": "1",
                     *           "played": "1",
                     *           "round_stats": {
                     *             "Map": "Mirage",
                     *             "Rounds": "24"
                     *           },
                     *           "teams": [
                     *             {
                     *               "players": [
                     *                 {
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "player_stats": {
                     *                     "Kills": "21",
                     *                     "Deaths": "14"
                     *                   }
                     *                 }
                     *               ],
                     *               "premade": false,
                     *               "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "team_stats": {
                     *                 "Final Score": "13"
                     *               }
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MatchStats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizerByName: {
        parameters: {
            query: {
                /** @description The whole name, compared exactly */
                name: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Organizer by name */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "cover": "https://assets.podium.example/picture.jpg",
                     *       "description": "Open to all",
                     *       "facebook": "",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "followers_count": 1200,
                     *       "name": "Winter Cup",
                     *       "organizer_id": "podium",
                     *       "twitch": "",
                     *       "twitter": "",
                     *       "type": "organization",
                     *       "vk": "",
                     *       "website": "",
                     *       "youtube": ""
                     *     }
                     */
                    "application/json": components["schemas"]["Organizer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Organizer, a UUID or a word */
                organizer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Organizer details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "cover": "https://assets.podium.example/picture.jpg",
                     *       "description": "Open to all",
                     *       "facebook": "",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "followers_count": 1200,
                     *       "name": "Winter Cup",
                     *       "organizer_id": "podium",
                     *       "twitch": "",
                     *       "twitter": "",
                     *       "type": "organization",
                     *       "vk": "",
                     *       "website": "",
                     *       "youtube": ""
                     *     }
                     */
                    "application/json": components["schemas"]["Organizer"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizerChampionships: {
        parameters: {
            query?: {
                /** @description Omits unpublished championships */
                publishedOnly?: boolean;
                /** @description By creation, ascending or descending */
                sort?: "+createdAt" | "-createdAt";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Organizer, a UUID or a word */
                organizer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Championships of an organizer */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "background_image": "https://assets.podium.example/picture.jpg",
                     *           "championship_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "championship_start": 1767225600000,
                     *           "checkin_clear": 1767225600000,
                     *           "checkin_enabled": false,
                     *           "checkin_start": 1767225600000,
                     *           "cover_image": "https://assets.podium.example/picture.jpg",
                     *           "current_subscriptions": 1,
                     *           "description": "Open to all",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured": false,
                     *           "full": false,
                     *           "game_data": {
                     *             "assets": {
                     *               "cover": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *               "landing_page": "https://assets.podium.example/picture.jpg"
                     *             },
                     *             "game_id": "cs2",
                     *             "long_label": "Counter-Strike 2",
                     *             "order": 1,
                     *             "parent_game_id": "cs2",
                     *             "platforms": [
                     *               "steam"
                     *             ],
                     *             "regions": [
                     *               "EU"
                     *             ],
                     *             "short_label": "CS2"
                     *           },
                     *           "game_id": "cs2",
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "join_checks": {
                     *             "allowed_team_types": [
                     *               ""
                     *             ],
                     *             "blacklist_geo_countries": [
                     *               ""
                     *             ],
                     *             "join_policy": "",
                     *             "max_skill_level": 10,
                     *             "membership_type": "",
                     *             "min_skill_level": 1,
                     *             "whitelist_geo_countries": [
                     *               ""
                     *             ],
                     *             "whitelist_geo_countries_min_players": 1
                     *           },
                     *           "name": "Winter Cup",
                     *           "organizer_data": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "description": "Open to all",
                     *             "facebook": "",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "followers_count": 1200,
                     *             "name": "Winter Cup",
                     *             "organizer_id": "podium",
                     *             "twitch": "",
                     *             "twitter": "",
                     *             "type": "organization",
                     *             "vk": "",
                     *             "website": "",
                     *             "youtube": ""
                     *           },
                     *           "organizer_id": "podium",
                     *           "prizes": [
                     *             {
                     *               "platform_points": 1,
                     *               "rank": 1
                     *             }
                     *           ],
                     *           "region": "EU",
                     *           "rules_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "schedule": {
                     *             "1": {
                     *               "date": 1767225600000,
                     *               "status": "finished"
                     *             }
                     *           },
                     *           "screening": {
                     *             "enabled": false,
                     *             "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           },
                     *           "seeding_strategy": "",
                     *           "slots": 64,
                     *           "status": "join",
                     *           "stream": {
                     *             "active": true,
                     *             "platform": "",
                     *             "source": "",
                     *             "title": ""
                     *           },
                     *           "subscription_end": 1767225600000,
                     *           "subscription_start": 1767225600000,
                     *           "subscriptions_locked": false,
                     *           "substitution_configuration": {
                     *             "max_substitutes": 1,
                     *             "max_substitutions": 1
                     *           },
                     *           "total_groups": 1,
                     *           "total_prizes": 1,
                     *           "total_rounds": 1,
                     *           "type": "bracket"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ChampionshipPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizerGames: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Organizer, a UUID or a word */
                organizer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Games of an organizer */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "assets": {
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *             "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *             "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *             "landing_page": "https://assets.podium.example/picture.jpg"
                     *           },
                     *           "game_id": "cs2",
                     *           "long_label": "Counter-Strike 2",
                     *           "order": 1,
                     *           "parent_game_id": "cs2",
                     *           "platforms": [
                     *             "steam"
                     *           ],
                     *           "regions": [
                     *             "EU"
                     *           ],
                     *           "short_label": "CS2"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GamePage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizerHubs: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Organizer, a UUID or a word */
                organizer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hubs of an organizer */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "background_image": "https://assets.podium.example/picture.jpg",
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "cover_image": "https://assets.podium.example/picture.jpg",
                     *           "description": "Open to all",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "game_data": {
                     *             "assets": {
                     *               "cover": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *               "landing_page": "https://assets.podium.example/picture.jpg"
                     *             },
                     *             "game_id": "cs2",
                     *             "long_label": "Counter-Strike 2",
                     *             "order": 1,
                     *             "parent_game_id": "cs2",
                     *             "platforms": [
                     *               "steam"
                     *             ],
                     *             "regions": [
                     *               "EU"
                     *             ],
                     *             "short_label": "CS2"
                     *           },
                     *           "game_id": "cs2",
                     *           "hub_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "join_permission": "PUBLIC",
                     *           "max_skill_level": 10,
                     *           "min_skill_level": 1,
                     *           "name": "Winter Cup",
                     *           "organizer_data": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "description": "Open to all",
                     *             "facebook": "",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "followers_count": 1200,
                     *             "name": "Winter Cup",
                     *             "organizer_id": "podium",
                     *             "twitch": "",
                     *             "twitter": "",
                     *             "type": "organization",
                     *             "vk": "",
                     *             "website": "",
                     *             "youtube": ""
                     *           },
                     *           "organizer_id": "podium",
                     *           "players_joined": 1,
                     *           "region": "EU",
                     *           "rule_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HubPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOrganizerTournaments: {
        parameters: {
            query?: {
                /** @description past, or upcoming for all others */
                type?: "past" | "upcoming";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Organizer, a UUID or a word */
                organizer_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tournaments of an organizer */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "custom": false,
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured_image": "https://assets.podium.example/picture.jpg",
                     *           "game_id": "cs2",
                     *           "invite_type": "",
                     *           "match_type": "",
                     *           "max_skill": 1,
                     *           "membership_type": "",
                     *           "min_skill": 1,
                     *           "name": "Winter Cup",
                     *           "number_of_players": 64,
                     *           "number_of_players_checkedin": 1,
                     *           "number_of_players_joined": 1,
                     *           "number_of_players_participants": 1,
                     *           "organizer_id": "podium",
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "started_at": 1767225600,
                     *           "status": "created",
                     *           "subscriptions_count": 1,
                     *           "team_size": 5,
                     *           "total_prize": "5000",
                     *           "tournament_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "whitelist_countries": [
                     *             ""
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerFromLookup: {
        parameters: {
            query?: {
                /** @description The whole nickname */
                nickname?: string;
                /** @description Game id */
                game?: string;
                /** @description The player's id on the game's platform */
                game_player_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Player by query */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "activated_at": "2026-01-01T00:00:00Z",
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "country": "de",
                     *       "cover_featured_image": "https://assets.podium.example/picture.jpg",
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "friends_ids": [
                     *         "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *       ],
                     *       "games": {
                     *         "cs2": {
                     *           "platform_elo": 2105,
                     *           "game_player_id": "76561198000000000",
                     *           "game_player_name": "Night Owl",
                     *           "game_profile_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "region": "EU",
                     *           "regions": {},
                     *           "skill_level": 8,
                     *           "skill_level_label": "8"
                     *         }
                     *       },
                     *       "infractions": {},
                     *       "membership_type": "free",
                     *       "memberships": [
                     *         "free"
                     *       ],
                     *       "new_steam_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "nickname": "night-owl",
                     *       "platforms": {
                     *         "steam": "76561198000000000"
                     *       },
                     *       "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "settings": {
                     *         "language": "en"
                     *       },
                     *       "steam_id_64": "76561198000000000",
                     *       "steam_nickname": "",
                     *       "verified": true
                     *     }
                     */
                    "application/json": components["schemas"]["Player"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayer: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Player details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "activated_at": "2026-01-01T00:00:00Z",
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "country": "de",
                     *       "cover_featured_image": "https://assets.podium.example/picture.jpg",
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "friends_ids": [
                     *         "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *       ],
                     *       "games": {
                     *         "cs2": {
                     *           "platform_elo": 2105,
                     *           "game_player_id": "76561198000000000",
                     *           "game_player_name": "Night Owl",
                     *           "game_profile_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "region": "EU",
                     *           "regions": {},
                     *           "skill_level": 8,
                     *           "skill_level_label": "8"
                     *         }
                     *       },
                     *       "infractions": {},
                     *       "membership_type": "free",
                     *       "memberships": [
                     *         "free"
                     *       ],
                     *       "new_steam_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "nickname": "night-owl",
                     *       "platforms": {
                     *         "steam": "76561198000000000"
                     *       },
                     *       "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "settings": {
                     *         "language": "en"
                     *       },
                     *       "steam_id_64": "76561198000000000",
                     *       "steam_nickname": "",
                     *       "verified": true
                     *     }
                     */
                    "application/json": components["schemas"]["Player"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerBans: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Bans of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "ends_at": "2026-01-01T00:00:00Z",
                     *           "game": "cs2",
                     *           "nickname": "night-owl",
                     *           "reason": "",
                     *           "starts_at": "2026-01-01T00:00:00Z",
                     *           "type": "bracket",
                     *           "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerBanPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerMatchesStats: {
        parameters: {
            query?: {
                /** @description Earliest end of a match, Unix milliseconds */
                from?: number;
                /** @description Latest end of a match, Unix milliseconds */
                to?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statistics of a player over a number of matches */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "stats": {
                     *             "Match Finished At": 1767225600000,
                     *             "Map": "Mirage",
                     *             "Kills": "21",
                     *             "Deaths": "14"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerMatchStatsPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerHistory: {
        parameters: {
            query: {
                /** @description Game id */
                game: string;
                /** @description Earliest end of a match, Unix seconds; default: a month before now */
                from?: number;
                /** @description Latest end of a match, Unix seconds; default: now */
                to?: number;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matches of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_name": "Winter Cup",
                     *           "competition_type": "championship",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "finished_at": 1767225600,
                     *           "game_id": "cs2",
                     *           "game_mode": "5v5",
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "match_type": "",
                     *           "max_players": 10,
                     *           "organizer_id": "podium",
                     *           "playing_players": [
                     *             "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *           ],
                     *           "region": "EU",
                     *           "results": {
                     *             "score": {
                     *               "faction1": 1,
                     *               "faction2": 1
                     *             },
                     *             "winner": "faction1"
                     *           },
                     *           "started_at": 1767225600,
                     *           "status": "finished",
                     *           "teams": {
                     *             "faction1": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "nickname": "night-owl",
                     *               "players": [
                     *                 {
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "skill_level": 8
                     *                 }
                     *               ],
                     *               "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "type": "bracket"
                     *             },
                     *             "faction2": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "nickname": "night-owl",
                     *               "players": [
                     *                 {
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "skill_level": 8
                     *                 }
                     *               ],
                     *               "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "type": "bracket"
                     *             }
                     *           },
                     *           "teams_size": 1
                     *         }
                     *       ],
                     *       "from": 1767225600,
                     *       "to": 1767225600
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerHistory"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerHubs: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Hubs of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "background_image": "https://assets.podium.example/picture.jpg",
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "cover_image": "https://assets.podium.example/picture.jpg",
                     *           "description": "Open to all",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "game_data": {
                     *             "assets": {
                     *               "cover": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *               "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *               "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *               "landing_page": "https://assets.podium.example/picture.jpg"
                     *             },
                     *             "game_id": "cs2",
                     *             "long_label": "Counter-Strike 2",
                     *             "order": 1,
                     *             "parent_game_id": "cs2",
                     *             "platforms": [
                     *               "steam"
                     *             ],
                     *             "regions": [
                     *               "EU"
                     *             ],
                     *             "short_label": "CS2"
                     *           },
                     *           "game_id": "cs2",
                     *           "hub_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "join_permission": "PUBLIC",
                     *           "max_skill_level": 10,
                     *           "min_skill_level": 1,
                     *           "name": "Winter Cup",
                     *           "organizer_data": {
                     *             "avatar": "https://assets.podium.example/picture.jpg",
                     *             "cover": "https://assets.podium.example/picture.jpg",
                     *             "description": "Open to all",
                     *             "facebook": "",
                     *             "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *             "followers_count": 1200,
                     *             "name": "Winter Cup",
                     *             "organizer_id": "podium",
                     *             "twitch": "",
                     *             "twitter": "",
                     *             "type": "organization",
                     *             "vk": "",
                     *             "website": "",
                     *             "youtube": ""
                     *           },
                     *           "organizer_id": "podium",
                     *           "players_joined": 1,
                     *           "region": "EU",
                     *           "rule_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["HubPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Statistics of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game_id": "cs2",
                     *       "lifetime": {
                     *         "Matches": "120",
                     *         "Win Rate %": "54"
                     *       },
                     *       "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "segments": [
                     *         {
                     *           "img_regular": "https://assets.podium.example/picture.jpg",
                     *           "img_small": "https://assets.podium.example/picture.jpg",
                     *           "label": "Mirage",
                     *           "mode": "5v5",
                     *           "stats": {
                     *             "Kills": "21",
                     *             "Deaths": "14"
                     *           },
                     *           "type": "bracket"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerStats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerTeams: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Teams of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "cover_image": "https://assets.podium.example/picture.jpg",
                     *           "description": "Open to all",
                     *           "facebook": "",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "game": "cs2",
                     *           "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "members": [
                     *             {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "country": "de",
                     *               "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *               "membership_type": "free",
                     *               "memberships": [
                     *                 "free"
                     *               ],
                     *               "nickname": "night-owl",
                     *               "skill_level": 8,
                     *               "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *             }
                     *           ],
                     *           "name": "Winter Cup",
                     *           "nickname": "night-owl",
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_type": "",
                     *           "twitter": "",
                     *           "website": "",
                     *           "youtube": ""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TeamPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerTournaments: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tournaments of a player */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "custom": false,
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured_image": "https://assets.podium.example/picture.jpg",
                     *           "game_id": "cs2",
                     *           "invite_type": "",
                     *           "match_type": "",
                     *           "max_skill": 1,
                     *           "membership_type": "",
                     *           "min_skill": 1,
                     *           "name": "Winter Cup",
                     *           "number_of_players": 64,
                     *           "number_of_players_checkedin": 1,
                     *           "number_of_players_joined": 1,
                     *           "number_of_players_participants": 1,
                     *           "organizer_id": "podium",
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "started_at": 1767225600,
                     *           "status": "created",
                     *           "subscriptions_count": 1,
                     *           "team_size": 5,
                     *           "total_prize": "5000",
                     *           "tournament_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "whitelist_countries": [
                     *             ""
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getGlobalRanking: {
        parameters: {
            query?: {
                /** @description ISO 3166-1 code in any case; positions are then within the country */
                country?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
                /** @description Region of the game */
                region: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Global ranking of a game */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "country": "de",
                     *           "platform_elo": 2105,
                     *           "game_skill_level": 8,
                     *           "nickname": "night-owl",
                     *           "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "position": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["GlobalRankingItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPlayerRanking: {
        parameters: {
            query?: {
                /** @description ISO 3166-1 code in any case; positions are then within the country */
                country?: string;
                /** @description Maximum number of items to return */
                limit?: number;
            };
            header?: never;
            path: {
                /** @description Game, a word */
                game_id: string;
                /** @description Region of the game */
                region: string;
                /** @description Player, a UUID */
                player_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Position of a player in the global ranking */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 1,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "country": "de",
                     *           "platform_elo": 2105,
                     *           "game_skill_level": 8,
                     *           "nickname": "night-owl",
                     *           "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "position": 1
                     *         }
                     *       ],
                     *       "position": 1
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerRanking"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchChampionships: {
        parameters: {
            query: {
                /** @description Text to search names for */
                name: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this region */
                region?: string;
                /** @description Only championships in this state */
                type?: "all" | "upcoming" | "ongoing" | "past";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search championships */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_type": "",
                     *           "game": "cs2",
                     *           "name": "Winter Cup",
                     *           "number_of_members": 1,
                     *           "organizer_id": "podium",
                     *           "organizer_name": "Podium",
                     *           "organizer_type": "organization",
                     *           "players_checkedin": 1,
                     *           "players_joined": 1,
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "slots": 64,
                     *           "started_at": 1767225600,
                     *           "status": "finished",
                     *           "total_prize": "5000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompetitionSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchClans: {
        parameters: {
            query: {
                /** @description Text to search names for */
                name: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this region */
                region?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search clans */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "game": "cs2",
                     *           "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "join": "public",
                     *           "last_match_finished": "2026-01-01T00:00:00Z",
                     *           "matches_count_24h": 1,
                     *           "max_skill_level": 10,
                     *           "members_count": 1,
                     *           "members_count_24h": 1,
                     *           "min_skill_level": 1,
                     *           "name": "Winter Cup",
                     *           "organizer_id": "podium",
                     *           "region": "EU",
                     *           "type": "bracket"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ClanSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchHubs: {
        parameters: {
            query: {
                /** @description Text to search names for */
                name: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this region */
                region?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search hubs */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_type": "",
                     *           "game": "cs2",
                     *           "name": "Winter Cup",
                     *           "number_of_members": 1,
                     *           "organizer_id": "podium",
                     *           "organizer_name": "Podium",
                     *           "organizer_type": "organization",
                     *           "players_checkedin": 1,
                     *           "players_joined": 1,
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "slots": 64,
                     *           "started_at": 1767225600,
                     *           "status": "finished",
                     *           "total_prize": "5000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompetitionSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchOrganizers: {
        parameters: {
            query: {
                /** @description Text to search names for */
                name: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search organizers */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "active": true,
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "countries": [
                     *             "de"
                     *           ],
                     *           "games": [
                     *             ""
                     *           ],
                     *           "name": "Winter Cup",
                     *           "organizer_id": "podium",
                     *           "partner": false,
                     *           "regions": [
                     *             "EU"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OrganizerSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchPlayers: {
        parameters: {
            query: {
                /** @description Text to search nicknames for */
                nickname: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this country, ISO 3166-1 code in any case */
                country?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search players */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "country": "de",
                     *           "games": [
                     *             {
                     *               "name": "Winter Cup",
                     *               "skill_level": ""
                     *             }
                     *           ],
                     *           "nickname": "night-owl",
                     *           "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "status": "finished",
                     *           "verified": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["PlayerSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchTeams: {
        parameters: {
            query: {
                /** @description Text to search nicknames for */
                nickname: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search teams */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "game": "cs2",
                     *           "name": "Winter Cup",
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "verified": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TeamSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    searchTournaments: {
        parameters: {
            query: {
                /** @description Text to search names for */
                name: string;
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this region */
                region?: string;
                /** @description Only tournaments in this state */
                type?: "all" | "upcoming" | "ongoing" | "past";
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Search tournaments */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_type": "",
                     *           "game": "cs2",
                     *           "name": "Winter Cup",
                     *           "number_of_members": 1,
                     *           "organizer_id": "podium",
                     *           "organizer_name": "Podium",
                     *           "organizer_type": "organization",
                     *           "players_checkedin": 1,
                     *           "players_joined": 1,
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "slots": 64,
                     *           "started_at": 1767225600,
                     *           "status": "finished",
                     *           "total_prize": "5000"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["CompetitionSearchItemPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeam: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Team, a UUID */
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Team details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "avatar": "https://assets.podium.example/picture.jpg",
                     *       "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "description": "Open to all",
                     *       "facebook": "",
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "game": "cs2",
                     *       "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "members": [
                     *         {
                     *           "avatar": "https://assets.podium.example/picture.jpg",
                     *           "country": "de",
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "membership_type": "free",
                     *           "memberships": [
                     *             "free"
                     *           ],
                     *           "nickname": "night-owl",
                     *           "skill_level": 8,
                     *           "user_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *         }
                     *       ],
                     *       "name": "Winter Cup",
                     *       "nickname": "night-owl",
                     *       "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "team_type": "",
                     *       "twitter": "",
                     *       "website": "",
                     *       "youtube": ""
                     *     }
                     */
                    "application/json": components["schemas"]["Team"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamStats: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Team, a UUID */
                team_id: string;
                /** @description Game, a word */
                game_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Team statistics */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game_id": "cs2",
                     *       "lifetime": {
                     *         "Matches": "120",
                     *         "Win Rate %": "54"
                     *       },
                     *       "segments": [
                     *         {
                     *           "img_regular": "https://assets.podium.example/picture.jpg",
                     *           "img_small": "https://assets.podium.example/picture.jpg",
                     *           "label": "Mirage",
                     *           "mode": "5v5",
                     *           "stats": {
                     *             "Kills": "21",
                     *             "Deaths": "14"
                     *           },
                     *           "type": "bracket"
                     *         }
                     *       ],
                     *       "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *     }
                     */
                    "application/json": components["schemas"]["TeamStats"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTeamTournaments: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Team, a UUID */
                team_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tournaments of a team */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "custom": false,
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured_image": "https://assets.podium.example/picture.jpg",
                     *           "game_id": "cs2",
                     *           "invite_type": "",
                     *           "match_type": "",
                     *           "max_skill": 1,
                     *           "membership_type": "",
                     *           "min_skill": 1,
                     *           "name": "Winter Cup",
                     *           "number_of_players": 64,
                     *           "number_of_players_checkedin": 1,
                     *           "number_of_players_joined": 1,
                     *           "number_of_players_participants": 1,
                     *           "organizer_id": "podium",
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "started_at": 1767225600,
                     *           "status": "created",
                     *           "subscriptions_count": 1,
                     *           "team_size": 5,
                     *           "total_prize": "5000",
                     *           "tournament_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "whitelist_countries": [
                     *             ""
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTournamentsList: {
        parameters: {
            query?: {
                /** @description Only those of this game */
                game?: string;
                /** @description Only those of this region */
                region?: string;
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tournaments v1 (no longer used) */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    deprecation: components["headers"]["deprecation"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "anticheat_required": false,
                     *           "custom": false,
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "featured_image": "https://assets.podium.example/picture.jpg",
                     *           "game_id": "cs2",
                     *           "invite_type": "",
                     *           "match_type": "",
                     *           "max_skill": 1,
                     *           "membership_type": "",
                     *           "min_skill": 1,
                     *           "name": "Winter Cup",
                     *           "number_of_players": 64,
                     *           "number_of_players_checkedin": 1,
                     *           "number_of_players_joined": 1,
                     *           "number_of_players_participants": 1,
                     *           "organizer_id": "podium",
                     *           "prize_type": "",
                     *           "region": "EU",
                     *           "started_at": 1767225600,
                     *           "status": "created",
                     *           "subscriptions_count": 1,
                     *           "team_size": 5,
                     *           "total_prize": "5000",
                     *           "tournament_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "whitelist_countries": [
                     *             ""
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentSummaryPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTournament: {
        parameters: {
            query?: {
                /** @description Adds organizer_data, game_data */
                expanded?: ("organizer" | "game")[];
            };
            header?: never;
            path: {
                /** @description Tournament, a UUID */
                tournament_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Tournament details */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "anticheat_required": false,
                     *       "custom": false,
                     *       "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *       "featured_image": "https://assets.podium.example/picture.jpg",
                     *       "game_id": "cs2",
                     *       "invite_type": "",
                     *       "match_type": "",
                     *       "max_skill": 1,
                     *       "membership_type": "",
                     *       "min_skill": 1,
                     *       "name": "Winter Cup",
                     *       "number_of_players": 64,
                     *       "number_of_players_checkedin": 1,
                     *       "number_of_players_joined": 1,
                     *       "number_of_players_participants": 1,
                     *       "organizer_id": "podium",
                     *       "prize_type": "",
                     *       "region": "EU",
                     *       "started_at": 1767225600,
                     *       "status": "created",
                     *       "subscriptions_count": 1,
                     *       "team_size": 5,
                     *       "total_prize": "5000",
                     *       "tournament_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "whitelist_countries": [
                     *         ""
                     *       ],
                     *       "best_of": 3,
                     *       "calculate_elo": true,
                     *       "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *       "cover_image": "https://assets.podium.example/picture.jpg",
                     *       "description": "Open to all",
                     *       "game_data": {
                     *         "assets": {
                     *           "cover": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_l": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_m": "https://assets.podium.example/picture.jpg",
                     *           "featured_img_s": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_icon": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_l": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_m": "https://assets.podium.example/picture.jpg",
                     *           "flag_img_s": "https://assets.podium.example/picture.jpg",
                     *           "landing_page": "https://assets.podium.example/picture.jpg"
                     *         },
                     *         "game_id": "cs2",
                     *         "long_label": "Counter-Strike 2",
                     *         "order": 1,
                     *         "parent_game_id": "cs2",
                     *         "platforms": [
                     *           "steam"
                     *         ],
                     *         "regions": [
                     *           "EU"
                     *         ],
                     *         "short_label": "CS2"
                     *       },
                     *       "organizer_data": {
                     *         "avatar": "https://assets.podium.example/picture.jpg",
                     *         "cover": "https://assets.podium.example/picture.jpg",
                     *         "description": "Open to all",
                     *         "facebook": "",
                     *         "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *         "followers_count": 1200,
                     *         "name": "Winter Cup",
                     *         "organizer_id": "podium",
                     *         "twitch": "",
                     *         "twitter": "",
                     *         "type": "organization",
                     *         "vk": "",
                     *         "website": "",
                     *         "youtube": ""
                     *       },
                     *       "rounds": [],
                     *       "rule": "",
                     *       "substitutes_allowed": 1,
                     *       "substitutions_allowed": 1,
                     *       "voting": {}
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentDetails"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTournamentBrackets: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description Tournament, a UUID */
                tournament_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Brackets of a tournament */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "game": "cs2",
                     *       "matches": [
                     *         {
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "position": 1,
                     *           "results": {
                     *             "score": {
                     *               "faction1": 1,
                     *               "faction2": 1
                     *             },
                     *             "winner": "faction1"
                     *           },
                     *           "round": 1,
                     *           "state": "OPEN",
                     *           "teams": {
                     *             "faction1": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "nickname": "night-owl",
                     *               "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *             },
                     *             "faction2": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "nickname": "night-owl",
                     *               "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "name": "Winter Cup",
                     *       "rounds": [
                     *         {
                     *           "best_of": 3,
                     *           "label": "Mirage",
                     *           "matches": 1,
                     *           "round": 1,
                     *           "start_time": 1767225600,
                     *           "starts_asap": false,
                     *           "substitution_time": 1,
                     *           "substitutions_allowed": false
                     *         }
                     *       ],
                     *       "status": "finished"
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentBrackets"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTournamentMatches: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Tournament, a UUID */
                tournament_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Matches of a tournament */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "start": 0,
                     *       "end": 10,
                     *       "items": [
                     *         {
                     *           "best_of": 3,
                     *           "broadcast_start_time": 1767225600,
                     *           "broadcast_start_time_label": "",
                     *           "calculate_elo": true,
                     *           "chat_room_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "competition_name": "Winter Cup",
                     *           "competition_type": "championship",
                     *           "configured_at": 1767225600,
                     *           "demo_url": [
                     *             "https://demos.podium.example/demo.dem.gz"
                     *           ],
                     *           "detailed_results": [
                     *             {
                     *               "asc_score": false,
                     *               "factions": {
                     *                 "faction1": {
                     *                   "score": 1
                     *                 },
                     *                 "faction2": {
                     *                   "score": 1
                     *                 }
                     *               },
                     *               "winner": "faction1"
                     *             }
                     *           ],
                     *           "platform_url": "https://podium.example/{lang}/players/night-owl",
                     *           "finished_at": 1767225600,
                     *           "game": "cs2",
                     *           "group": 1,
                     *           "instances": [
                     *             {
                     *               "demos": [
                     *                 "https://demos.podium.example/demo.dem.gz"
                     *               ],
                     *               "id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "round": 1
                     *             }
                     *           ],
                     *           "match_id": "1-5f3c1d2e-9b8a-4c7d-8e6f-0a1b2c3d4e5f",
                     *           "organizer_id": "podium",
                     *           "region": "EU",
                     *           "results": {
                     *             "score": {
                     *               "faction1": 1,
                     *               "faction2": 1
                     *             },
                     *             "winner": "faction1"
                     *           },
                     *           "round": 1,
                     *           "scheduled_at": 1767225600,
                     *           "started_at": 1767225600,
                     *           "status": "SCHEDULED",
                     *           "teams": {
                     *             "faction1": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             },
                     *             "faction2": {
                     *               "avatar": "https://assets.podium.example/picture.jpg",
                     *               "faction_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *               "name": "Winter Cup",
                     *               "roster": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77"
                     *                 }
                     *               ],
                     *               "roster_v1": null,
                     *               "stats": {
                     *                 "rating": 2080,
                     *                 "skillLevel": {
                     *                   "average": 1,
                     *                   "range": {
                     *                     "max": 1,
                     *                     "min": 1
                     *                   }
                     *                 },
                     *                 "winProbability": 50
                     *               },
                     *               "substituted": false,
                     *               "substitutes": [
                     *                 {
                     *                   "anticheat_required": false,
                     *                   "avatar": "https://assets.podium.example/picture.jpg",
                     *                   "game_player_id": "76561198000000000",
                     *                   "game_player_name": "Night Owl",
                     *                   "game_skill_level": 8,
                     *                   "membership": "free",
                     *                   "nickname": "night-owl",
                     *                   "player_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *                   "playing": false
                     *                 }
                     *               ],
                     *               "type": "bracket"
                     *             }
                     *           },
                     *           "version": 1,
                     *           "voting": {
                     *             "location": {},
                     *             "map": {},
                     *             "voted_entity_types": [
                     *               ""
                     *             ]
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["MatchPage"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTournamentTeams: {
        parameters: {
            query?: {
                /** @description Number of items to skip */
                offset?: number;
                /** @description Maximum number of items to return */
                limit?: number;
                /** @description The cursor of the `next` link of the previous page, unchanged; replaces `offset` */
                cursor?: string;
            };
            header?: never;
            path: {
                /** @description Tournament, a UUID */
                tournament_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Teams of a tournament */
            200: {
                headers: {
                    "ratelimit-limit": components["headers"]["ratelimit-limit"];
                    "ratelimit-remaining": components["headers"]["ratelimit-remaining"];
                    "ratelimit-reset": components["headers"]["ratelimit-reset"];
                    etag: components["headers"]["etag"];
                    "cache-control": components["headers"]["cache-control"];
                    vary: components["headers"]["vary"];
                    link: components["headers"]["link"];
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "checked_in": [
                     *         {
                     *           "nickname": "night-owl",
                     *           "skill_level": 8,
                     *           "subs_done": 1,
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_type": ""
                     *         }
                     *       ],
                     *       "finished": [
                     *         {
                     *           "nickname": "night-owl",
                     *           "skill_level": 8,
                     *           "subs_done": 1,
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_type": ""
                     *         }
                     *       ],
                     *       "joined": [
                     *         {
                     *           "nickname": "night-owl",
                     *           "skill_level": 8,
                     *           "subs_done": 1,
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_type": ""
                     *         }
                     *       ],
                     *       "started": [
                     *         {
                     *           "nickname": "night-owl",
                     *           "skill_level": 8,
                     *           "subs_done": 1,
                     *           "team_id": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_leader": "3a5a1a0e-6f1b-4b6c-9d59-1a0e4f6b2c77",
                     *           "team_type": ""
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["TournamentTeams"];
                };
            };
            304: components["responses"]["NotModified"];
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            408: components["responses"]["RequestTimeout"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["TooManyRequests"];
            431: components["responses"]["HeadersTooLarge"];
            500: components["responses"]["InternalError"];
            503: components["responses"]["Unavailable"];
        };
    };
}
