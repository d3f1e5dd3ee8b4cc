import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends one event, and says what to do with it. */
public class Send {
    private static final URI ADDRESS = URI.create("https://address.podium.invalid/cdp/v1/users/events/send");
    private static final HttpClient CLIENT = HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
    // In place of a JSON library.
    private static final Pattern RETRY = Pattern.compile("\"retry\" *: *\"(now|later|pause|never)\"");

    /** `next` is done or a retry class; `delay` is the least time before the next try. */
    record Decision(String next, Duration delay, String answer) {}

    public static void main(String[] arguments) throws InterruptedException {
        Decision decision = send("""
            {
              "platform": "your-platform-name",
              "platform_user_id": "user-1",
              "event": {
                "id": "deposit-93f1",
                "name": "deposit",
                "created_at": 1767225600,
                "attributes": [{"name": "amount", "value": "25.00"}, {"name": "currency", "value": "EUR"}]
              }
            }""");
        System.out.println(decision.next() + " " + decision.delay().toSeconds() + " " + decision.answer());
    }

    static Decision send(String body) throws InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(ADDRESS)
            .timeout(Duration.ofSeconds(10))
            .header("Authorization", "Bearer " + System.getenv("PODIUM_EVENT_KEY"))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body))
            .build();
        HttpResponse<String> response;
        try {
            response = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException error) {
            return new Decision("now", Duration.ofSeconds(1), "no answer: " + error);
        }
        String answer = response.statusCode() + " " + response.body();
        if (response.statusCode() == 200 && response.body().contains("\"outcome\""))
            return new Decision("done", Duration.ZERO, answer);
        Matcher retry = RETRY.matcher(response.body());
        // What names no class is the answer of a proxy, and says nothing about the event.
        return new Decision(retry.find() ? retry.group(1) : "now", retryAfter(response), answer);
    }

    /** Seconds or a date (RFC 9110): at least a second, at most a day. */
    static Duration retryAfter(HttpResponse<?> response) {
        String value = response.headers().firstValue("Retry-After").orElse("");
        Duration delay = Duration.ZERO;
        try {
            delay = value.matches("\\d{1,9}")
                ? Duration.ofSeconds(Long.parseLong(value))
                : Duration.between(Instant.now(), ZonedDateTime.parse(value, DateTimeFormatter.RFC_1123_DATE_TIME));
        } catch (DateTimeParseException neither) {
            // As if it were absent.
        }
        if (delay.compareTo(Duration.ofSeconds(1)) < 0) return Duration.ofSeconds(1);
        return delay.compareTo(Duration.ofDays(1)) > 0 ? Duration.ofDays(1) : delay;
    }
}
