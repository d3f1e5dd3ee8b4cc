// Sends one event, and says what to do with it.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"
)

const address = "https://address.podium.invalid/cdp/v1/users/events/send"

const body = `{
  "platform": "your-platform-name",
  "platform_user_id": "user-1",
  "event": {
    "id": "deposit-93f1",
    "name": "deposit",
    "created_at": 1767225600,
    "attributes": [{"name": "amount", "value": "25.00"}, {"name": "currency", "value": "EUR"}]
  }
}`

var client = &http.Client{
	Timeout:       10 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
}

// decision is what to do with an event: next is done or a retry class, delay the least time before the next try.
type decision struct {
	next   string
	delay  time.Duration
	answer string
}

func main() {
	decided := send([]byte(body))
	fmt.Println(decided.next, int(decided.delay.Seconds()), decided.answer)
}

func send(body []byte) decision {
	request, err := http.NewRequest(http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return decision{"pause", 0, err.Error()}
	}
	request.Header.Set("Authorization", "Bearer "+os.Getenv("PODIUM_EVENT_KEY"))
	request.Header.Set("Content-Type", "application/json")
	response, err := client.Do(request)
	if err != nil {
		return decision{"now", time.Second, "no answer: " + err.Error()}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(io.LimitReader(response.Body, 1<<20))
	if err != nil {
		return decision{"now", time.Second, "no answer: " + err.Error()}
	}
	var said struct {
		Outcome string
		Error   struct{ Retry string }
	}
	answer := fmt.Sprint(response.StatusCode, " ", string(text))
	if json.Unmarshal(text, &said) != nil || said.Error.Retry == "" {
		// What names no class is the answer of a proxy, and says nothing about the event.
		said.Error.Retry = "now"
	}
	if response.StatusCode == 200 && said.Outcome != "" {
		return decision{"done", 0, answer}
	}
	return decision{said.Error.Retry, retryAfter(response.Header.Get("Retry-After")), answer}
}

// retryAfter reads seconds or a date (RFC 9110): at least a second, at most a day.
func retryAfter(value string) time.Duration {
	delay := time.Duration(0)
	if seconds, err := strconv.ParseInt(value, 10, 32); err == nil {
		delay = time.Duration(seconds) * time.Second
	} else if at, err := http.ParseTime(value); err == nil {
		delay = time.Until(at)
	}
	return min(max(delay, time.Second), 24*time.Hour)
}
